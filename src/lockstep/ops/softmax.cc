// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void softmax_cpu(KernelContext& context);
template <typename T>
void softmax_gradient_cpu(KernelContext& context);

OpSchema softmax_schema() {
  return OpSchema("Softmax")
      .doc("Y[r,c] = exp(X[r,c] - max_r) / sum_c exp(X[r,c] - max_r), row by row.")
      .input("X", "[R, C]")
      .output("Y", "[R, C], rows that sum to 1")
      .in_place(0, 0)
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 2);
        return same_as_first_input(context);
      })
      .gradient([](const GradientContext& context) -> Gradients {
        if (context.output_gradient(0).empty() || !context.needs_gradient(0)) return no_gradients(context);
        const std::string gradient = context.input_gradient(0);
        return {{context.make("SoftmaxGradient", {context.output(0), context.output_gradient(0)}, {gradient})},
                {gradient}};
      })
      .cpu(function_kernel(softmax_cpu<float>))
      .reference(function_kernel(softmax_cpu<double>));
}

OpSchema softmax_gradient_schema() {
  return OpSchema("SoftmaxGradient")
      .doc("dX[r,c] = Y[r,c] (dY[r,c] - sum_k dY[r,k] Y[r,k]).")
      .input("Y", "[R, C], output of Softmax")
      .input("dY", "[R, C], gradient of Y")
      .output("dX", "[R, C]")
      .in_place(1, 0)
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 2);
        context.require_real(1);
        context.require_same_shape(0, 1);
        return same_as_first_input(context);
      })
      .no_gradient(kNoSecondDerivative)
      .cpu(function_kernel(softmax_gradient_cpu<float>))
      .reference(function_kernel(softmax_gradient_cpu<double>));
}

}  // namespace lockstep
