// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

// What the bins of one RoI read along one image axis. RoIAlign averages bilinear samples on a regular grid; a sample's
// weight is a product of one factor per axis, so the sum over a bin's grid is a sum over pixels with
// weight(row) * weight(column), where neighbouring samples share pixels.
struct RoiTaps {
  std::vector<std::int32_t> begin;  // bin b has taps begin[b] .. begin[b + 1]
  std::vector<std::int32_t> pixel;
  std::vector<float> weight;

  // Bins of `bin_size` pixels from `start`, `samples` positions in each (0 or less: none), on an axis of `size` pixels.
  // Samples more than one pixel outside count as zero, those less far take the border's value; every weight is
  // multiplied by `factor`.
  void build(float start, float bin_size, int samples, int bins, int size, float factor);

 private:
  void add(std::int32_t at, float value);
};

// One RoI on its feature map, in pixels of the map.
struct RoiWindow {
  float start_y, start_x, bin_height, bin_width;
  int samples_y, samples_x;  // per bin

  // `roi` = x1, y1, x2, y2 in pixels of the image. aligned: pixel centres are at +0.5 (Detectron2's ROIAlignV2);
  // otherwise RoIs are at least 1 pixel of the map wide and high. sampling_ratio 0: one sample per pixel, rounded up.
  RoiWindow(const float* roi, float scale, bool aligned, int sampling_ratio, int bins);
};

}  // namespace lockstep
