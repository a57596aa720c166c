// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "lockstep/graph/kernel.h"

namespace lockstep {

void copy_cpu(KernelContext& context) {
  const Tensor& x = context.input(0);
  Tensor& y = context.output(0);
  if (&x == &y || x.bytes() == 0) return;
  std::memcpy(y.raw(), x.raw(), x.bytes());
}

}  // namespace lockstep
