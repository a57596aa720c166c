// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/softmax_row.h"

namespace lockstep {

template <typename T>
void softmax_cpu(KernelContext& context) {
  const std::int64_t columns = context.input(0).dim(1);
  if (columns == 0) return;
  for (std::int64_t r = 0; r < context.input(0).dim(0); ++r) {
    softmax_row(context.input(0).data<T>() + r * columns, context.output(0).data<T>() + r * columns, columns);
  }
}

template <typename T>
void softmax_gradient_cpu(KernelContext& context) {
  const std::int64_t columns = context.input(0).dim(1);
  for (std::int64_t r = 0; r < context.input(0).dim(0); ++r) {
    const T* y = context.input(0).data<T>() + r * columns;
    const T* dy = context.input(1).data<T>() + r * columns;
    T* dx = context.output(0).data<T>() + r * columns;
    double sum = 0.0;
    for (std::int64_t c = 0; c < columns; ++c) sum += static_cast<double>(dy[c]) * y[c];
    for (std::int64_t c = 0; c < columns; ++c) dx[c] = static_cast<T>(y[c] * (static_cast<double>(dy[c]) - sum));
  }
}

template void softmax_cpu<float>(KernelContext&);
template void softmax_cpu<double>(KernelContext&);
template void softmax_gradient_cpu<float>(KernelContext&);
template void softmax_gradient_cpu<double>(KernelContext&);

}  // namespace lockstep
