// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lockstep/data/image.h"

namespace lockstep {

// Decodes the first page of a TIFF or BigTIFF file: grey, palette, RGB, CMYK and YCbCr in strips or tiles, with any
// compression that libtiff reads but old-style JPEG. Samples of 1 to 16 bits become 8 by v * 255 / (2^n - 1), rounded;
// CMYK is converted as Pillow does; alpha is dropped, after colours that were multiplied with it are divided by it.
// Throws
//   kData         the bytes are damaged or end early, or the header announces more than `max_pixels`
//   kUnsupported  what is not read: floating point, other numbers of bits, other colours, thumbnails of raw files
Image decode_tiff(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels);

ImageSize read_tiff_size(std::span<const std::uint8_t> bytes, const std::string& path);

}  // namespace lockstep
