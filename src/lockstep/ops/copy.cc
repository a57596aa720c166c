// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void copy_cpu(KernelContext& context);

OpSchema copy_schema() {
  return OpSchema("Copy")
      .doc("Y = X, in memory of its own. (Caffe2's Copy.)")
      .input("X", "any type, shape and layout")
      .output("Y", "of the type, shape and layout of X")
      .layouts(LayoutRule::kSame)
      .infer(same_as_first_input)
      .gradient([](const GradientContext& context) -> Gradients {
        return {{}, {context.needs_gradient(0) ? context.output_gradient(0) : ""}};
      })
      .cpu(function_kernel(copy_cpu))
      .reference(function_kernel(copy_cpu));
}

OpSchema stop_gradient_schema() {
  return OpSchema("StopGradient")
      .doc("Y = X; no gradient flows back through it. (Caffe2's StopGradient, the detach of autograd systems.)")
      .input("X", "any type, shape and layout")
      .output("Y", "of the type, shape and layout of X")
      .in_place(0, 0)
      .layouts(LayoutRule::kSame)
      .infer(same_as_first_input)
      .gradient(no_gradients)
      .cpu(function_kernel(copy_cpu))
      .reference(function_kernel(copy_cpu));
}

}  // namespace lockstep
