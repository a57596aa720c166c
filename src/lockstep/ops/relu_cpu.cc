// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"

namespace lockstep {

// Both run over the padding of a blocked layout too: zeros stay zeros.
template <typename T>
void relu_cpu(KernelContext& context) {
  const T* x = context.input(0).data<T>();
  T* y = context.output(0).data<T>();
  const std::int64_t count = context.input(0).storage_size();
  // NaN > 0 is false, so the order of the comparison lets a NaN through to the loss, where it is reported.
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] <= T{0} ? T{0} : x[i];
}

template <typename T>
void relu_gradient_cpu(KernelContext& context) {
  const T* y = context.input(0).data<T>();
  const T* dy = context.input(1).data<T>();
  T* dx = context.output(0).data<T>();
  const std::int64_t count = context.input(0).storage_size();
  for (std::int64_t i = 0; i < count; ++i) dx[i] = y[i] > T{0} ? dy[i] : T{0};
}

template void relu_cpu<float>(KernelContext&);
template void relu_cpu<double>(KernelContext&);
template void relu_gradient_cpu<float>(KernelContext&);
template void relu_gradient_cpu<double>(KernelContext&);

}  // namespace lockstep
