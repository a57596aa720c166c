// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lockstep {

// Softmax of one row of `columns` >= 1 values; y may be x. The sum is taken in double.
template <typename T>
void softmax_row(const T* x, T* y, std::int64_t columns) {
  const T largest = *std::max_element(x, x + columns);
  double sum = 0.0;
  for (std::int64_t c = 0; c < columns; ++c) {
    y[c] = std::exp(x[c] - largest);
    sum += static_cast<double>(y[c]);
  }
  const T factor = static_cast<T>(1.0 / sum);
  for (std::int64_t c = 0; c < columns; ++c) y[c] *= factor;
}

}  // namespace lockstep
