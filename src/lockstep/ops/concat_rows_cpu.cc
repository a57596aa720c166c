// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/graph/kernel.h"

namespace lockstep {
namespace {

template <typename T>
void concat_rows(KernelContext& context) {
  T* to = context.output(0).data<T>();
  for (int i = 0; i < context.input_count(); ++i) {
    to = std::copy_n(context.input(i).data<T>(), context.input(i).size(), to);
  }
}

}  // namespace

void concat_rows_cpu(KernelContext& context) { concat_rows<float>(context); }
void concat_rows_reference(KernelContext& context) { concat_rows<double>(context); }

}  // namespace lockstep
