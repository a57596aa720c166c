// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/data/image.h"
#include "lockstep/data/jpeg_codec.h"
#include "lockstep/data/png_codec.h"
#include "lockstep/data/tiff_codec.h"
#include "lockstep/data/webp_codec.h"

namespace lockstep {

// Pictures above this size are refused from their header, before memory is taken (768 MB as BGR).
inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 28;
// And those whose decoding would take more memory than this.
inline constexpr std::int64_t kMaxDecodeBytes = std::int64_t{1} << 31;

// Throws kData naming the file when the size is empty, above `max_pixels`, or would take more than kMaxDecodeBytes
// with `bytes_per_pixel` for the result and what the decoder holds beside it for the whole picture, and `other_bytes`.
void check_decode_limits(ImageSize size, int bytes_per_pixel, const std::string& path, std::int64_t max_pixels,
                         std::int64_t other_bytes = 0);

// Decodes a picture of one of the formats of image_format.h. Throws kData naming the file when the bytes are not a
// whole picture; kUnsupported for other known formats.
// The stored pixels come back: EXIF orientation is not applied.
Image decode_image(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels = kMaxPixels);

// Turns `image`, decoded from `bytes`, upright when exif.h's rule says so. annotated = {0, 0}: unknown.
Image orient_image(Image image, std::span<const std::uint8_t> bytes, ImageSize annotated, const std::string& path);

// Reads, decodes and orients a file. kIo when it cannot be read, kData when it cannot be decoded.
Image load_image(const std::string& path, ImageSize annotated = {}, std::int64_t max_pixels = kMaxPixels);

// As many bytes from the start of the file as tell its size and its EXIF data; the whole file when these stand behind
// the pixels, the header is longer than headers are, or damaged. Throws kIo when it cannot be read.
std::vector<std::uint8_t> read_image_header(const std::string& path);

// The size of the stored picture, from its header. Errors as decode_image.
ImageSize stored_image_size(std::span<const std::uint8_t> bytes, const std::string& path);

// The size after orientation, from the header alone.
ImageSize read_image_size(const std::string& path);

}  // namespace lockstep
