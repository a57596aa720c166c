// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"

namespace lockstep {

template <typename T>
void weighted_sum_cpu(KernelContext& context) {
  const std::int64_t count = context.input(0).storage_size();
  T* y = context.output(0).data<T>();
  const T* first = context.input(0).data<T>();
  const T first_weight = context.input(1).data<T>()[0];
  for (std::int64_t i = 0; i < count; ++i) y[i] = first_weight * first[i];
  for (int input = 2; input < context.input_count(); input += 2) {
    const T* x = context.input(input).data<T>();
    const T weight = context.input(input + 1).data<T>()[0];
    for (std::int64_t i = 0; i < count; ++i) y[i] += weight * x[i];
  }
}

template void weighted_sum_cpu<float>(KernelContext&);
template void weighted_sum_cpu<double>(KernelContext&);

}  // namespace lockstep
