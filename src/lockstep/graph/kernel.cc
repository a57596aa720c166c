// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"

namespace lockstep {
namespace {

class FunctionKernel : public Kernel {
 public:
  explicit FunctionKernel(void (*function)(KernelContext&)) : function_(function) {}
  void run(KernelContext& context) override { function_(context); }

 private:
  void (*function_)(KernelContext&);
};

}  // namespace

KernelFactory function_kernel(void (*run)(KernelContext&)) {
  return [run] { return std::make_unique<FunctionKernel>(run); };
}

}  // namespace lockstep
