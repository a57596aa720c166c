// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void relu_cpu(KernelContext& context);
template <typename T>
void relu_gradient_cpu(KernelContext& context);

OpSchema relu_schema() {
  return OpSchema("Relu")
      .doc("Y = max(X, 0), element by element. (Nair & Hinton, ICML 2010; Caffe2's Relu.)")
      .input("X", "any shape, any layout")
      .output("Y", "of the shape and layout of X")
      .in_place(0, 0)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) {
        context.require_real(0);
        return same_as_first_input(context);
      })
      .gradient([](const GradientContext& context) -> Gradients {
        if (context.output_gradient(0).empty() || !context.needs_gradient(0)) return no_gradients(context);
        const std::string gradient = context.input_gradient(0);
        return {{context.make("ReluGradient", {context.output(0), context.output_gradient(0)}, {gradient})},
                {gradient}};
      })
      .flops_per_output(1)
      .cpu(function_kernel(relu_cpu<float>))
      .reference(function_kernel(relu_cpu<double>));
}

OpSchema relu_gradient_schema() {
  return OpSchema("ReluGradient")
      .doc("dX = dY where Y > 0, else 0. Reads the output of Relu, so that Relu may work in place.")
      .input("Y", "output of Relu, any shape, any layout")
      .input("dY", "gradient of Y")
      .output("dX", "gradient of Relu's input")
      .in_place(1, 0)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_real(1);
        context.require_same_shape(0, 1);
        return same_as_first_input(context);
      })
      .no_gradient(kNoSecondDerivative)
      .flops_per_output(1)
      .cpu(function_kernel(relu_gradient_cpu<float>))
      .reference(function_kernel(relu_gradient_cpu<double>));
}

}  // namespace lockstep
