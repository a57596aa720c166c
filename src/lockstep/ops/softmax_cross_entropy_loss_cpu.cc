// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/softmax_row.h"

namespace lockstep {

template <typename T>
void softmax_cross_entropy_loss_cpu(KernelContext& context) {
  const std::int64_t rows = context.input(0).dim(0);
  const std::int64_t columns = context.input(0).dim(1);
  const std::int32_t* labels = context.input(1).data<std::int32_t>();
  double sum = 0.0;
  for (std::int64_t r = 0; r < rows; ++r) {
    LS_CHECK(kData, labels[r] >= 0 && labels[r] < columns, "label {} of row {} is not a class in [0, {})", labels[r], r,
             columns);
    const T* x = context.input(0).data<T>() + r * columns;
    T* prob = context.output(1).data<T>() + r * columns;
    // -log softmax from the logits themselves: a probability that underflows to 0 would give infinity.
    const T largest = *std::max_element(x, x + columns);
    double exponentials = 0.0;
    for (std::int64_t c = 0; c < columns; ++c) {
      prob[c] = std::exp(x[c] - largest);
      exponentials += static_cast<double>(prob[c]);
    }
    sum += std::log(exponentials) - (static_cast<double>(x[labels[r]]) - static_cast<double>(largest));
    const T factor = static_cast<T>(1.0 / exponentials);
    for (std::int64_t c = 0; c < columns; ++c) prob[c] *= factor;
  }
  const double mean = rows > 0 ? sum / static_cast<double>(rows) : 0.0;
  context.output(0).data<T>()[0] = static_cast<T>(context.args().number("scale") * mean);
}

template <typename T>
void softmax_cross_entropy_loss_gradient_cpu(KernelContext& context) {
  const std::int64_t rows = context.input(0).dim(0);
  const std::int64_t columns = context.input(0).dim(1);
  if (rows == 0) return;
  const std::int32_t* labels = context.input(1).data<std::int32_t>();
  const double dloss = static_cast<double>(context.input(2).data<T>()[0]);
  const T factor = static_cast<T>(dloss * context.args().number("scale") / static_cast<double>(rows));
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* prob = context.input(0).data<T>() + r * columns;
    T* dlogits = context.output(0).data<T>() + r * columns;
    const T own = prob[labels[r]];
    for (std::int64_t c = 0; c < columns; ++c) dlogits[c] = factor * prob[c];
    dlogits[labels[r]] = factor * (own - T{1});
  }
}

template void softmax_cross_entropy_loss_cpu<float>(KernelContext&);
template void softmax_cross_entropy_loss_cpu<double>(KernelContext&);
template void softmax_cross_entropy_loss_gradient_cpu<float>(KernelContext&);
template void softmax_cross_entropy_loss_gradient_cpu<double>(KernelContext&);

}  // namespace lockstep
