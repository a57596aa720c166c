// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void group_norm_cpu(KernelContext& context);
void group_norm_reference(KernelContext& context);
void group_norm_gradient_cpu(KernelContext& context);
void group_norm_gradient_reference(KernelContext& context);

namespace {

// Checks X, the channel count against the groups, and that the inputs `first`..`last` are [C].
void require_groups(const InferContext& context, int first, int last) {
  context.require_real(0);
  const std::int64_t group = context.args().integer("group");
  LS_CHECK(kShape, context.input(0).shape.size() >= 2, "[GroupNorm] input 'X' must have axes N, C, ..., got {}",
           to_string(context.input(0)));
  const std::int64_t channels = context.dim(0, 1);
  LS_CHECK(kShape, channels < 0 || channels % group == 0,
           "[GroupNorm] {} channels cannot be divided into {} groups; set MODEL.GN_NUM_GROUPS to a divisor", channels,
           group);
  for (int i = first; i <= last; ++i) {
    context.require_real(i);
    context.require_rank(i, 1);
    context.require_dim(i, 0, channels, "one per channel");
  }
}

OpSchema& group_norm_args(OpSchema& schema) {
  return schema.required_arg("group", std::int64_t{32}, "groups; must divide the channels")
      .range(1, 1 << 20)
      .arg("eps", 1e-5, "added to the variance")
      .range(0.0, 1.0);
}

}  // namespace

OpSchema group_norm_schema() {
  OpSchema schema("GroupNorm");
  schema
      .doc(
          "Y = (X - mean) / sqrt(var + eps) * scale + bias, mean and (biased) variance over the pixels and channels "
          "of one group of one image. (Wu & He, ECCV 2018, equations 1-3 and 7; torch.nn.GroupNorm.)")
      .input("X", "[N, C, ...], any layout")
      .input("scale", "[C]")
      .input("bias", "[C]")
      .output("Y", "of the shape and layout of X")
      .output("mean", "[N, group]")
      .output("inv_std", "[N, group], 1 / sqrt(var + eps)")
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        require_groups(context, 1, 2);
        const TensorInfo statistics{context.real(), {context.dim(0, 0), context.args().integer("group")}};
        return {context.input(0), statistics, statistics};
      })
      .gradient([](const GradientContext& context) {
        Gradients gradients = no_gradients(context);
        if (context.output_gradient(0).empty()) return gradients;
        gradients.ops.push_back(context.make(
            "GroupNormGradient",
            {context.input(0), context.input(1), context.output(1), context.output(2), context.output_gradient(0)},
            {context.input_gradient(0), context.input_gradient(1), context.input_gradient(2)}));
        for (int i = 0; i < 3; ++i) {
          if (context.needs_gradient(i))
            gradients.input_gradients[static_cast<std::size_t>(i)] = context.input_gradient(i);
        }
        return gradients;
      })
      .flops_per_output(8)  // sum, square, centre, scale, shift
      .cpu(function_kernel(group_norm_cpu))
      .reference(function_kernel(group_norm_reference));
  return group_norm_args(schema);
}

OpSchema group_norm_gradient_schema() {
  OpSchema schema("GroupNormGradient");
  schema
      .doc(
          "With x = (X - mean) inv_std, m elements per group and means over a group: dbias = sum dY, dscale = sum dY "
          "x, "
          "dX = inv_std (scale dY - mean(scale dY) - x mean(scale dY x)).")
      .input("X", "[N, C, ...], input of GroupNorm, any layout")
      .input("scale", "[C]")
      .input("mean", "[N, group], from GroupNorm")
      .input("inv_std", "[N, group], from GroupNorm")
      .input("dY", "gradient of GroupNorm's Y")
      .output("dX", "of the shape and layout of X")
      .output("dscale", "[C]")
      .output("dbias", "[C]")
      .in_place(4, 0)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        require_groups(context, 1, 1);
        for (int i = 2; i <= 3; ++i) {
          context.require_real(i);
          context.require_rank(i, 2);
          context.require_dim(i, 0, context.dim(0, 0), "images");
          context.require_dim(i, 1, context.args().integer("group"), "groups");
        }
        context.require_real(4);
        context.require_same_shape(0, 4);
        const TensorInfo per_channel{context.real(), {context.dim(0, 1)}};
        return {context.input(0), per_channel, per_channel};
      })
      .no_gradient(kNoSecondDerivative)
      .flops_per_output(14)  // two sums over the group, two over the channel, and dX from them
      .cpu(function_kernel(group_norm_gradient_cpu))
      .reference(function_kernel(group_norm_gradient_reference));
  return group_norm_args(schema);
}

}  // namespace lockstep
