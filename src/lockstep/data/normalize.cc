// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/normalize.h"

#include <algorithm>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

LS_VECTOR_CLONES void normalize_row(const std::uint8_t* pixels, int width, float mean, float std, float* out) {
  for (int x = 0; x < width; ++x) out[x] = (static_cast<float>(pixels[3 * x]) - mean) / std;
}

}  // namespace

void check_normalize_options(const NormalizeOptions& options) {
  for (const float value : options.std) {
    LS_CHECK(kConfig, value > 0, "MODEL.PIXEL_STD holds {}; wanted three positive numbers", value);
  }
}

int round_up(int value, int divisor) { return divisor <= 1 ? value : (value + divisor - 1) / divisor * divisor; }

void normalize_image(const Image& image, const NormalizeOptions& options, int height, int width, float* planes) {
  LS_ASSERT(height >= image.height && width >= image.width, "{} x {} does not fit into {} x {}", image.width,
            image.height, width, height);
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t stored = options.rgb ? 2 - c : c;
    for (int y = 0; y < height; ++y, planes += width) {
      const int filled = y < image.height ? image.width : 0;
      if (filled > 0) normalize_row(image.row(y) + stored, filled, options.mean[c], options.std[c], planes);
      std::fill(planes + filled, planes + width, 0.0F);
    }
  }
}

}  // namespace lockstep
