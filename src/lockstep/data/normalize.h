// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "lockstep/data/image.h"

namespace lockstep {

// Per channel, in the order of INPUT.FORMAT: (pixel - mean) / std.
struct NormalizeOptions {
  std::array<float, 3> mean = {103.530F, 116.280F, 123.675F};  // MODEL.PIXEL_MEAN
  std::array<float, 3> std = {1.0F, 1.0F, 1.0F};               // MODEL.PIXEL_STD
  bool rgb = false;                                            // INPUT.FORMAT "RGB"; else "BGR"
};

// Throws kConfig naming MODEL.PIXEL_STD when a value is not positive.
void check_normalize_options(const NormalizeOptions& options);

// `value` rounded up to a multiple of `divisor` (MODEL.*.SIZE_DIVISIBILITY; 0 and 1 leave it).
int round_up(int value, int divisor);

// Writes the three planes of `image`, each height x width floats, zero outside the image (right and below),
// to `planes`; height and width are at least the image's.
void normalize_image(const Image& image, const NormalizeOptions& options, int height, int width, float* planes);

}  // namespace lockstep
