// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void weighted_sum_cpu(KernelContext& context);

OpSchema weighted_sum_schema() {
  return OpSchema("WeightedSum")
      .doc(
          "Y = w0 X0 + w1 X1 + ..., added from left to right; weight decay of the `detectron` update rule is "
          "gradient + wd * parameter. (Caffe2's WeightedSum.)")
      .input("X0", "any shape, any layout")
      .input("w0", "real[1], weight of X0")
      .input("more", "X1, w1, X2, w2, ...: tensors of the shape of X0, each followed by its weight")
      .variadic_inputs(2)
      .output("Y", "of the shape and layout of X0")
      .in_place(0, 0)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) {
        LS_CHECK(kShape, context.input_count() % 2 == 0,
                 "[WeightedSum] wants a weight after every tensor, got {} inputs", context.input_count());
        for (int i = 0; i < context.input_count(); i += 2) {
          context.require_real(i);
          context.require_same_shape(0, i);
          context.require_real(i + 1);
          context.require_rank(i + 1, 1);
          context.require_dim(i + 1, 0, 1, "one weight");
        }
        return same_as_first_input(context);
      })
      .no_gradient("it runs in parameter updates only")
      .flops([](const OpSizes& sizes) {  // inputs are pairs of tensor and weight
        return static_cast<double>(sizes.inputs.size()) * static_cast<double>(element_count(sizes.outputs[0].shape));
      })
      .cpu(function_kernel(weighted_sum_cpu<float>))
      .reference(function_kernel(weighted_sum_cpu<double>));
}

}  // namespace lockstep
