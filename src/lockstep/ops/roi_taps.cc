// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/roi_taps.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

void RoiTaps::build(float start, float bin_size, int samples, int bins, int size, float factor) {
  begin.assign(1, 0);
  pixel.clear();
  weight.clear();
  for (int bin = 0; bin < bins; ++bin) {
    for (int sample = 0; sample < samples; ++sample) {
      const float position = start + static_cast<float>(bin) * bin_size +
                             (static_cast<float>(sample) + 0.5f) * bin_size / static_cast<float>(samples);
      if (position < -1.0f || position > static_cast<float>(size)) continue;
      const float inside = std::max(position, 0.0f);
      const auto low = static_cast<std::int32_t>(inside);
      if (low >= size - 1) {
        add(size - 1, factor);
        continue;
      }
      const float rest = inside - static_cast<float>(low);
      add(low, (1.0f - rest) * factor);
      add(low + 1, rest * factor);
    }
    begin.push_back(static_cast<std::int32_t>(pixel.size()));
  }
}

void RoiTaps::add(std::int32_t at, float value) {
  // Positions only grow within a bin, so an equal pixel is one of the last two.
  const auto first = static_cast<std::size_t>(begin.back());
  for (std::size_t back = 1; back <= 2 && pixel.size() >= first + back; ++back) {
    if (pixel[pixel.size() - back] != at) continue;
    weight[weight.size() - back] += value;
    return;
  }
  if (value == 0.0f) return;
  pixel.push_back(at);
  weight.push_back(value);
}

RoiWindow::RoiWindow(const float* roi, float scale, bool aligned, int sampling_ratio, int bins) {
  const float offset = aligned ? 0.5f : 0.0f;
  start_x = roi[0] * scale - offset;
  start_y = roi[1] * scale - offset;
  float width = roi[2] * scale - offset - start_x;
  float height = roi[3] * scale - offset - start_y;
  if (!aligned) {
    width = std::max(width, 1.0f);
    height = std::max(height, 1.0f);
  }
  bin_width = width / static_cast<float>(bins);
  bin_height = height / static_cast<float>(bins);
  samples_x = sampling_ratio > 0 ? sampling_ratio : static_cast<int>(std::ceil(bin_width));
  samples_y = sampling_ratio > 0 ? sampling_ratio : static_cast<int>(std::ceil(bin_height));
}

}  // namespace lockstep
