// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "lockstep/data/image_format.h"

namespace lockstep {

// What the header of a picture tells besides its size.
struct ImageTraits {
  ImageFormat format = ImageFormat::kUnknown;
  int channels = 3;  // as stored; 0 when the header does not get that far. A palette counts as 3
  bool alpha = false;
  bool sixteen_bit = false;
  int orientation = 1;  // EXIF, 1..8
};

ImageTraits read_image_traits(std::span<const std::uint8_t> bytes);

}  // namespace lockstep
