// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "lockstep/data/image.h"

namespace lockstep {

struct Range {
  double low = 1, high = 1;
};

// The ranges that the factors of a picture are drawn from, uniformly; 1 changes nothing.
struct ColourOptions {
  Range brightness;  // INPUT.BRIGHTNESS
  Range contrast;    // INPUT.CONTRAST
  Range saturation;  // INPUT.SATURATION
};

// Throws kConfig when a range is negative or the wrong way round, naming the key.
void check_colour_options(const ColourOptions& options);

struct ColourFactors {
  double brightness = 1, contrast = 1, saturation = 1;
};

// The factors for sample `s` of a run: a pure function of its arguments.
ColourFactors draw_colours(const ColourOptions& options, std::uint64_t seed, std::int64_t s);

// Blends the picture with black by the brightness, then with its mean grey by the contrast, then every pixel with its
// own grey (0.299 red + 0.587 green + 0.114 blue) by the saturation: value = (1 - factor) * other + factor * value,
// clipped and cut to 8 bits after each, as Detectron2's RandomBrightness, RandomContrast and RandomSaturation do.
// (Detectron2 takes the channels as red, green, blue there even where INPUT.FORMAT is BGR.)
void change_colours(Image& image, const ColourFactors& factors);

}  // namespace lockstep
