// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lockstep/base/check.h"
#include "lockstep/graph/kernel.h"

namespace lockstep {
namespace {

constexpr double kSmallestBeta = 1e-5;  // fvcore: below, the quadratic part would divide by almost zero

double factor(const KernelContext& context) {
  const OpArgs& args = context.args();
  const double rows = static_cast<double>(std::max<std::int64_t>(context.input(0).dim(0), 1));
  const double normalizer = args.number("normalizer");
  return args.number("scale") / (normalizer > 0.0 ? normalizer : rows);
}

// Calls visit(offset of the prediction, offset of the target) for each delta of each foreground row, in order.
template <typename Visit>
void each_delta(const KernelContext& context, Visit visit) {
  const OpArgs& args = context.args();
  const std::int64_t low = args.integer("fg_low");
  const std::int64_t high = args.integer("fg_high");
  const bool agnostic = args.flag("class_agnostic");
  const std::int64_t columns = context.input(0).dim(1);
  const std::int32_t* labels = context.input(2).data<std::int32_t>();
  for (std::int64_t r = 0; r < context.input(0).dim(0); ++r) {
    if (labels[r] < low || labels[r] >= high) continue;
    const std::int64_t first = agnostic ? 0 : 4 * std::int64_t{labels[r]};
    LS_CHECK(kData, first >= 0 && first + 4 <= columns,
             "label {} of row {} has no columns in predictions of {} columns (4 per class)", labels[r], r, columns);
    for (std::int64_t k = 0; k < 4; ++k) visit(r * columns + first + k, r * 4 + k);
  }
}

}  // namespace

template <typename T>
void box_regression_loss_cpu(KernelContext& context) {
  const T* pred = context.input(0).data<T>();
  const T* targets = context.input(1).data<T>();
  const T beta = static_cast<T>(context.args().number("beta"));
  const bool l1 = context.args().number("beta") < kSmallestBeta;
  double sum = 0.0;
  each_delta(context, [&](std::int64_t p, std::int64_t t) {
    const T distance = std::abs(pred[p] - targets[t]);
    const T loss = l1 ? distance : distance < beta ? T{0.5} * distance * distance / beta : distance - T{0.5} * beta;
    sum += static_cast<double>(loss);
  });
  context.output(0).data<T>()[0] = static_cast<T>(factor(context) * sum);
}

template <typename T>
void box_regression_loss_gradient_cpu(KernelContext& context) {
  const T* pred = context.input(0).data<T>();
  const T* targets = context.input(1).data<T>();
  const T beta = static_cast<T>(context.args().number("beta"));
  const bool l1 = context.args().number("beta") < kSmallestBeta;
  const T scale = static_cast<T>(factor(context) * static_cast<double>(context.input(3).data<T>()[0]));
  context.output(0).fill_zero();
  T* dpred = context.output(0).data<T>();
  each_delta(context, [&](std::int64_t p, std::int64_t t) {
    const T d = pred[p] - targets[t];
    const T sign = static_cast<T>((d > T{0}) - (d < T{0}));
    dpred[p] = scale * (!l1 && std::abs(d) < beta ? d / beta : sign);
  });
}

template void box_regression_loss_cpu<float>(KernelContext&);
template void box_regression_loss_cpu<double>(KernelContext&);
template void box_regression_loss_gradient_cpu<float>(KernelContext&);
template void box_regression_loss_gradient_cpu<double>(KernelContext&);

}  // namespace lockstep
