// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lockstep {

// What the header of a picture tells besides its size.
struct ImageTraits {
  enum class Format { kOther, kJpeg, kPng };
  Format format = Format::kOther;
  int channels = 3;  // as stored; 0 when the header does not get that far. A palette counts as 3
  bool alpha = false;
  bool sixteen_bit = false;
  int orientation = 1;  // EXIF, 1..8
};

ImageTraits read_image_traits(std::span<const std::uint8_t> bytes);

// True when the ending of `path` belongs to another format than the bytes.
bool is_misleading_name(const std::string& path, ImageTraits::Format format);

}  // namespace lockstep
