// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void sum_cpu(KernelContext& context);

namespace {

// The gradient of a sum is the same blob for every addend: no operator is needed.
Gradients pass_gradient_through(const GradientContext& context) {
  Gradients gradients = no_gradients(context);
  for (int i = 0; i < context.input_count(); ++i) {
    if (context.needs_gradient(i)) gradients.input_gradients[static_cast<std::size_t>(i)] = context.output_gradient(0);
  }
  return gradients;
}

std::vector<TensorInfo> infer_sum(const InferContext& context) {
  for (int i = 0; i < context.input_count(); ++i) {
    context.require_real(i);
    context.require_same_shape(0, i);
  }
  return same_as_first_input(context);
}

double count_additions(const OpSizes& sizes) {
  return static_cast<double>(sizes.inputs.size() - 1) * static_cast<double>(element_count(sizes.outputs[0].shape));
}

}  // namespace

OpSchema add_schema() {
  return OpSchema("Add")
      .doc(
          "C = A + B, element by element, without broadcasting: the shortcut of a residual block (He et al., CVPR "
          "2016) and the top-down path of an FPN (Lin et al., CVPR 2017).")
      .input("A", "any shape, any layout")
      .input("B", "of the shape of A")
      .output("C", "of the shape and layout of A")
      .in_place(0, 0)
      .layouts(LayoutRule::kSame)
      .infer(infer_sum)
      .gradient(pass_gradient_through)
      .flops(count_additions)
      .cpu(function_kernel(sum_cpu<float>))
      .reference(function_kernel(sum_cpu<double>));
}

OpSchema sum_schema() {
  return OpSchema("Sum")
      .doc("Y = X0 + X1 + ..., element by element, added from left to right. (Caffe2's Sum.)")
      .input("X", "any shape, any layout, all the same shape")
      .variadic_inputs(1)
      .output("Y", "of the shape and layout of X[0]")
      .in_place(0, 0)
      .layouts(LayoutRule::kSame)
      .infer(infer_sum)
      .gradient(pass_gradient_through)
      .flops(count_additions)
      .cpu(function_kernel(sum_cpu<float>))
      .reference(function_kernel(sum_cpu<double>));
}

}  // namespace lockstep
