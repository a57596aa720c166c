// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lockstep/data/image.h"

namespace lockstep {

// What stands in front of the pixels of a WebP file.
struct WebpHeader {
  ImageSize size;
  bool lossless = false;
  bool alpha = false;
};

// Throws kData when the bytes are damaged or end early, kUnsupported for animations; both name `path`.
WebpHeader read_webp_header(std::span<const std::uint8_t> bytes, const std::string& path);

// Decodes a WebP file, lossy or lossless. Alpha is dropped: the colours are those that are stored behind it.
// Errors as above, and kData when the header announces more than `max_pixels`.
Image decode_webp(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels);

ImageSize read_webp_size(std::span<const std::uint8_t> bytes, const std::string& path);

}  // namespace lockstep
