// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lockstep/base/check.h"
#include "lockstep/graph/kernel.h"

namespace lockstep {

template <typename T>
void sigmoid_cross_entropy_loss_cpu(KernelContext& context) {
  const T* x = context.input(0).data<T>();
  const std::int32_t* labels = context.input(1).data<std::int32_t>();
  double sum = 0.0;
  for (std::int64_t r = 0; r < context.input(0).dim(0); ++r) {
    if (labels[r] == -1) continue;
    LS_CHECK(kData, labels[r] == 0 || labels[r] == 1, "label {} of row {} must be 1, 0 or -1", labels[r], r);
    const T loss = std::max(x[r], T{0}) - x[r] * static_cast<T>(labels[r]) + std::log1p(std::exp(-std::abs(x[r])));
    sum += static_cast<double>(loss);
  }
  const OpArgs& args = context.args();
  context.output(0).data<T>()[0] = static_cast<T>(args.number("scale") * sum / args.number("normalizer"));
}

template <typename T>
void sigmoid_cross_entropy_loss_gradient_cpu(KernelContext& context) {
  const T* x = context.input(0).data<T>();
  const std::int32_t* labels = context.input(1).data<std::int32_t>();
  T* dlogits = context.output(0).data<T>();
  const OpArgs& args = context.args();
  const double dloss = static_cast<double>(context.input(2).data<T>()[0]);
  const T factor = static_cast<T>(dloss * args.number("scale") / args.number("normalizer"));
  for (std::int64_t r = 0; r < context.input(0).dim(0); ++r) {
    dlogits[r] = T{0};
    if (labels[r] == -1) continue;
    dlogits[r] = factor * (T{1} / (T{1} + std::exp(-x[r])) - static_cast<T>(labels[r]));
  }
}

template void sigmoid_cross_entropy_loss_cpu<float>(KernelContext&);
template void sigmoid_cross_entropy_loss_cpu<double>(KernelContext&);
template void sigmoid_cross_entropy_loss_gradient_cpu<float>(KernelContext&);
template void sigmoid_cross_entropy_loss_gradient_cpu<double>(KernelContext&);

}  // namespace lockstep
