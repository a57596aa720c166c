// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "ops/op_case.h"

namespace lockstep {

// `count` boxes inside an image, of 4 pixels or more each way. Corners are multiples of a quarter pixel, so that areas
// and intersections are the same numbers in float and in double and ties stay ties.
inline Tensor random_boxes(std::int64_t count, std::uint32_t stream, double height, double width) {
  const Tensor draws = random_tensor({count, 4}, stream, 0.0, 1.0);
  Tensor boxes(DType::kF64, {count, 4});
  const auto quarter = [](double value) { return std::floor(value * 4.0) / 4.0; };
  for (std::int64_t i = 0; i < count; ++i) {
    const double* draw = draws.data<double>() + 4 * i;
    double* box = boxes.data<double>() + 4 * i;
    box[0] = quarter(draw[0] * (width - 4.0));
    box[1] = quarter(draw[1] * (height - 4.0));
    box[2] = quarter(box[0] + 4.0 + draw[2] * (width - 4.0 - box[0]));
    box[3] = quarter(box[1] + 4.0 + draw[3] * (height - 4.0 - box[1]));
  }
  return boxes;
}

// The boxes as rois: `per_image` rows for each image in turn.
inline Tensor rois_of(const Tensor& boxes, std::int64_t per_image) {
  Tensor rois(DType::kF64, {boxes.dim(0), 5});
  for (std::int64_t i = 0; i < boxes.dim(0); ++i) {
    rois.data<double>()[5 * i] = static_cast<double>(i / per_image);
    for (std::int64_t c = 0; c < 4; ++c) rois.data<double>()[5 * i + 1 + c] = boxes.data<double>()[4 * i + c];
  }
  return rois;
}

inline Tensor sample_ids(const std::vector<std::int64_t>& ids) {
  return Tensor::from<std::int64_t>({static_cast<std::int64_t>(ids.size())}, ids);
}

}  // namespace lockstep
