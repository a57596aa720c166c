// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/ops/boxes.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// Per image the rows of gt_boxes that are ground truth: those of the image (gt_counts i32[N], in order) that are not
// crowd (gt_crowd i32[G]). Throws kShape when the counts do not add up to G.
std::vector<std::vector<std::int32_t>> truth_rows(const Tensor& gt_crowd, const Tensor& gt_counts);

template <typename T>
std::vector<Box<T>> gather_boxes(const Tensor& boxes, const std::vector<std::int32_t>& rows) {
  std::vector<Box<T>> gathered;
  gathered.reserve(rows.size());
  for (const std::int32_t row : rows) gathered.push_back(load_box(boxes.data<T>() + 4 * row));
  return gathered;
}

}  // namespace lockstep
