// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/ground_truth.h"

#include "lockstep/base/check.h"

namespace lockstep {

std::vector<std::vector<std::int32_t>> truth_rows(const Tensor& gt_crowd, const Tensor& gt_counts) {
  const std::int32_t* counts = gt_counts.data<std::int32_t>();
  const std::int32_t* crowd = gt_crowd.data<std::int32_t>();
  std::int64_t total = 0;
  for (std::int64_t n = 0; n < gt_counts.size(); ++n) {
    LS_CHECK(kShape, counts[n] >= 0, "gt_counts[{}] is {}; wanted the number of boxes of image {}", n, counts[n], n);
    total += counts[n];
  }
  LS_CHECK(kShape, total == gt_crowd.size(), "gt_counts add up to {}, but there are {} ground-truth rows", total,
           gt_crowd.size());
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(gt_counts.size()));
  std::int32_t row = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::int32_t i = 0; i < counts[n]; ++i, ++row) {
      if (crowd[row] == 0) rows[n].push_back(row);
    }
  }
  return rows;
}

}  // namespace lockstep
