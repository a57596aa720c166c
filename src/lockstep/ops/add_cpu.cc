// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/graph/kernel.h"

namespace lockstep {

// Add and Sum. Runs over the padding of a blocked layout too: zeros stay zeros.
template <typename T>
void sum_cpu(KernelContext& context) {
  const std::int64_t count = context.input(0).storage_size();
  const T* first = context.input(0).data<T>();
  T* y = context.output(0).data<T>();
  if (context.input_count() == 1) {
    if (y != first) std::copy_n(first, count, y);
    return;
  }
  const T* second = context.input(1).data<T>();
  for (std::int64_t i = 0; i < count; ++i) y[i] = first[i] + second[i];
  for (int input = 2; input < context.input_count(); ++input) {
    const T* x = context.input(input).data<T>();
    for (std::int64_t i = 0; i < count; ++i) y[i] += x[i];
  }
}

template void sum_cpu<float>(KernelContext&);
template void sum_cpu<double>(KernelContext&);

}  // namespace lockstep
