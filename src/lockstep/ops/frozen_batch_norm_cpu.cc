// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "lockstep/graph/kernel.h"
#include "lockstep/ops/channel_rows.h"

namespace lockstep {
namespace {

template <typename T>
T factor(const Tensor& weight, const Tensor& var, double eps, std::int64_t channel) {
  return static_cast<T>(weight.data<T>()[channel] / std::sqrt(static_cast<double>(var.data<T>()[channel]) + eps));
}

// y = a x + b with a and b per lane.
template <typename T>
void scale_row(const T* x, T* y, std::int64_t count, const ChannelRows::Lanes<T>& a, const ChannelRows::Lanes<T>& b) {
  constexpr std::int64_t kLanes = ChannelRows::kLanes;
  const std::int64_t whole = count / kLanes * kLanes;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) y[i + lane] = a[lane] * x[i + lane] + b[lane];
  }
  for (std::int64_t i = whole; i < count; ++i) y[i] = a[i - whole] * x[i] + b[i - whole];
}

}  // namespace

template <typename T>
void frozen_batch_norm_cpu(KernelContext& context) {
  const double eps = context.args().number("eps");
  const ChannelRows rows(context.input(0));
  const T* bias = context.input(2).data<T>();
  const T* mean = context.input(3).data<T>();
  for (std::int64_t row = 0; row < rows.rows_per_image; ++row) {
    const auto factor_of = [&](std::int64_t c) { return factor<T>(context.input(1), context.input(4), eps, c); };
    const auto a = rows.spread<T>(row, factor_of);
    const auto b = rows.spread<T>(row, [&](std::int64_t c) { return bias[c] - mean[c] * factor_of(c); });
    for (std::int64_t n = 0; n < rows.images; ++n) {
      const std::int64_t at = rows.offset(n, row);
      scale_row(context.input(0).data<T>() + at, context.output(0).data<T>() + at, rows.row_size, a, b);
    }
  }
}

template <typename T>
void frozen_batch_norm_gradient_cpu(KernelContext& context) {
  const double eps = context.args().number("eps");
  const ChannelRows rows(context.input(0));
  for (std::int64_t row = 0; row < rows.rows_per_image; ++row) {
    const auto a =
        rows.spread<T>(row, [&](std::int64_t c) { return factor<T>(context.input(1), context.input(2), eps, c); });
    for (std::int64_t n = 0; n < rows.images; ++n) {
      const std::int64_t at = rows.offset(n, row);
      scale_row(context.input(0).data<T>() + at, context.output(0).data<T>() + at, rows.row_size, a, {});
    }
  }
}

template void frozen_batch_norm_cpu<float>(KernelContext&);
template void frozen_batch_norm_cpu<double>(KernelContext&);
template void frozen_batch_norm_gradient_cpu<float>(KernelContext&);
template void frozen_batch_norm_gradient_cpu<double>(KernelContext&);

}  // namespace lockstep
