// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lockstep/base/philox.h"
#include "lockstep/graph/kernel.h"

namespace lockstep {
namespace {

template <typename T>
void fill(Tensor& tensor, double value) {
  std::fill_n(tensor.data<T>(), tensor.size(), static_cast<T>(value));
}

PhiloxStream draws_of(const KernelContext& context) {
  return PhiloxStream(context.seed(), 0, philox_key(context.args().text("key")));
}

template <typename T>
void fill_normal(KernelContext& context, double mean, double std) {
  PhiloxStream draws = draws_of(context);
  T* y = context.output(0).data<T>();
  for (std::int64_t i = 0; i < context.output(0).size(); ++i) y[i] = static_cast<T>(mean + std * draws.normal());
}

// Size of a filter behind its first `axis` + 1 axes, times the size of `axis`: the fan of a filter.
double fan(const Tensor& filter, int axis) {
  std::int64_t product = filter.dim(axis);
  for (int k = 2; k < filter.rank(); ++k) product *= filter.dim(k);
  return static_cast<double>(std::max<std::int64_t>(product, 1));
}

}  // namespace

void constant_fill_cpu(KernelContext& context) {
  Tensor& y = context.output(0);
  const double value = context.args().number("value");
  switch (y.dtype()) {
    case DType::kF32: return fill<float>(y, value);
    case DType::kF64: return fill<double>(y, value);
    case DType::kI32: return fill<std::int32_t>(y, value);
    case DType::kI64: return fill<std::int64_t>(y, value);
    case DType::kU8: return fill<std::uint8_t>(y, value);
  }
}

template <typename T>
void gaussian_fill_cpu(KernelContext& context) {
  fill_normal<T>(context, context.args().number("mean"), context.args().number("std"));
}

template <typename T>
void msra_fill_cpu(KernelContext& context) {
  fill_normal<T>(context, 0.0, std::sqrt(2.0 / fan(context.output(0), 0)));
}

template <typename T>
void xavier_fill_cpu(KernelContext& context) {
  const double bound = std::sqrt(3.0 / fan(context.output(0), 1));
  PhiloxStream draws = draws_of(context);
  T* y = context.output(0).data<T>();
  for (std::int64_t i = 0; i < context.output(0).size(); ++i) {
    y[i] = static_cast<T>(bound * (2.0 * draws.uniform() - 1.0));
  }
}

template void gaussian_fill_cpu<float>(KernelContext&);
template void gaussian_fill_cpu<double>(KernelContext&);
template void msra_fill_cpu<float>(KernelContext&);
template void msra_fill_cpu<double>(KernelContext&);
template void xavier_fill_cpu<float>(KernelContext&);
template void xavier_fill_cpu<double>(KernelContext&);

}  // namespace lockstep
