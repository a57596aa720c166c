// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void frozen_batch_norm_cpu(KernelContext& context);
template <typename T>
void frozen_batch_norm_gradient_cpu(KernelContext& context);

namespace {

void require_per_channel(const InferContext& context, int first, int last) {
  LS_CHECK(kShape, context.input(0).shape.size() >= 2, "[FrozenBatchNorm] input 0 must have axes N, C, ..., got {}",
           to_string(context.input(0)));
  for (int i = first; i <= last; ++i) {
    context.require_real(i);
    context.require_rank(i, 1);
    context.require_dim(i, 0, context.dim(0, 1), "one per channel");
  }
}

constexpr char kEpsilonDoc[] = "added to the variance";

}  // namespace

OpSchema frozen_batch_norm_schema() {
  return OpSchema("FrozenBatchNorm")
      .doc(
          "Y = a X + b per channel with a = weight / sqrt(var + eps) and b = bias - mean a: batch normalisation "
          "(Ioffe & Szegedy 2015) with fixed statistics and factors, as Detectron2's FrozenBatchNorm2d.")
      .input("X", "[N, C, ...], any layout")
      .input("weight", "[C]")
      .input("bias", "[C]")
      .input("mean", "[C], running mean")
      .input("var", "[C], running variance, not negative")
      .output("Y", "of the shape and layout of X")
      .arg("eps", 1e-5, kEpsilonDoc)
      .range(0.0, 1.0)
      .in_place(0, 0)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) {
        context.require_real(0);
        require_per_channel(context, 1, 4);
        return same_as_first_input(context);
      })
      .gradient([](const GradientContext& context) -> Gradients {
        Gradients gradients = no_gradients(context);
        if (context.output_gradient(0).empty() || !context.needs_gradient(0)) return gradients;
        gradients.input_gradients[0] = context.input_gradient(0);
        gradients.ops.push_back(context.make("FrozenBatchNormGradient",
                                             {context.output_gradient(0), context.input(1), context.input(4)},
                                             {context.input_gradient(0)}));
        return gradients;
      })
      .flops_per_output(2)
      .cpu(function_kernel(frozen_batch_norm_cpu<float>))
      .reference(function_kernel(frozen_batch_norm_cpu<double>));
}

OpSchema frozen_batch_norm_gradient_schema() {
  return OpSchema("FrozenBatchNormGradient")
      .doc("dX = dY weight / sqrt(var + eps) per channel. The factors and statistics are frozen: they get no gradient.")
      .input("dY", "[N, C, ...], gradient of FrozenBatchNorm's output, any layout")
      .input("weight", "[C]")
      .input("var", "[C]")
      .output("dX", "of the shape and layout of dY")
      .arg("eps", 1e-5, kEpsilonDoc)
      .range(0.0, 1.0)
      .in_place(0, 0)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) {
        context.require_real(0);
        require_per_channel(context, 1, 2);
        return same_as_first_input(context);
      })
      .no_gradient(kNoSecondDerivative)
      .flops_per_output(1)
      .cpu(function_kernel(frozen_batch_norm_gradient_cpu<float>))
      .reference(function_kernel(frozen_batch_norm_gradient_cpu<double>));
}

}  // namespace lockstep
