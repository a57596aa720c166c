// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lockstep/data/image.h"
#include "lockstep/data/jpeg_codec.h"
#include "lockstep/data/png_codec.h"

namespace lockstep {

// Pictures above this size are refused from their header, before memory is taken (768 MB as BGR).
inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 28;

// Throws kData naming the file when the size is empty or above `max_pixels`.
void check_pixel_limit(ImageSize size, const std::string& path, std::int64_t max_pixels);

// Decodes a JPEG or PNG file, told apart by its first bytes and not by its name. Throws kData naming the
// file when the bytes are not a whole picture; kUnsupported for other known formats (GIF, BMP, WebP, TIFF).
// The stored pixels come back: EXIF orientation is not applied.
Image decode_image(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels = kMaxPixels);

// Turns `image`, decoded from `bytes`, upright when exif.h's rule says so. annotated = {0, 0}: unknown.
Image orient_image(Image image, std::span<const std::uint8_t> bytes, ImageSize annotated, const std::string& path);

// Reads, decodes and orients a file. kIo when it cannot be read, kData when it cannot be decoded.
Image load_image(const std::string& path, ImageSize annotated = {}, std::int64_t max_pixels = kMaxPixels);

// The size after orientation, from the header alone.
ImageSize read_image_size(const std::string& path);

}  // namespace lockstep
