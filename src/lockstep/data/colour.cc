// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/colour.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "lockstep/base/check.h"
#include "lockstep/base/philox.h"

namespace lockstep {
namespace {

void check_range(const char* key, Range range) {
  LS_CHECK(kConfig, range.low >= 0 && range.low <= range.high,
           "{} is the range {} to {}; wanted factors of at least 0, the smaller one first", key, range.low, range.high);
}

double draw(Range range, PhiloxStream& stream) { return range.low + stream.uniform() * (range.high - range.low); }

std::uint8_t blend(double other, double factor, std::uint8_t value) {
  return static_cast<std::uint8_t>(std::clamp((1 - factor) * other + factor * value, 0.0, 255.0));
}

// Blends every value with one and the same grey.
void blend_all(Image& image, double grey, double factor) {
  std::array<std::uint8_t, 256> blended;
  for (std::size_t value = 0; value < blended.size(); ++value) {
    blended[value] = blend(grey, factor, static_cast<std::uint8_t>(value));
  }
  for (std::uint8_t& value : image.bgr) value = blended[value];
}

double mean_of(const Image& image) {
  const std::uint64_t sum = std::accumulate(image.bgr.begin(), image.bgr.end(), std::uint64_t{0});
  return static_cast<double>(sum) / static_cast<double>(image.bgr.size());
}

void blend_with_own_grey(Image& image, double factor) {
  for (std::size_t i = 0; i + 2 < image.bgr.size(); i += 3) {
    std::uint8_t* pixel = image.bgr.data() + i;
    const double grey = 0.299 * pixel[2] + 0.587 * pixel[1] + 0.114 * pixel[0];
    for (int c = 0; c < 3; ++c) pixel[c] = blend(grey, factor, pixel[c]);
  }
}

}  // namespace

void check_colour_options(const ColourOptions& options) {
  check_range("INPUT.BRIGHTNESS", options.brightness);
  check_range("INPUT.CONTRAST", options.contrast);
  check_range("INPUT.SATURATION", options.saturation);
}

ColourFactors draw_colours(const ColourOptions& options, std::uint64_t seed, std::int64_t s) {
  static const std::uint32_t kKey = philox_key("colour");
  PhiloxStream stream(seed, static_cast<std::uint64_t>(s), kKey);
  ColourFactors factors;
  factors.brightness = draw(options.brightness, stream);
  factors.contrast = draw(options.contrast, stream);
  factors.saturation = draw(options.saturation, stream);
  return factors;
}

void change_colours(Image& image, const ColourFactors& factors) {
  if (factors.brightness != 1) blend_all(image, 0, factors.brightness);
  if (factors.contrast != 1) blend_all(image, mean_of(image), factors.contrast);
  if (factors.saturation != 1) blend_with_own_grey(image, factors.saturation);
}

}  // namespace lockstep
