// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void upsample_nearest_cpu(KernelContext& context);
template <typename T>
void upsample_nearest_gradient_cpu(KernelContext& context);

OpSchema upsample_nearest_schema() {
  return OpSchema("UpsampleNearest")
      .doc(
          "Y[n,c,h,w] = X[n,c,h/scale,w/scale]: the upsampling of an FPN's top-down path (Lin et al., CVPR 2017; "
          "torch's interpolate with mode nearest).")
      .input("X", "[N, C, H, W], any layout")
      .output("Y", "[N, C, scale H, scale W], of the layout of X")
      .arg("scale", std::int64_t{2}, "factor of both sides")
      .range(1, 64)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        context.require_real(0);
        context.require_rank(0, 4);
        TensorInfo output = context.input(0);
        for (std::size_t axis = 2; axis < 4; ++axis) {
          if (output.shape[axis] >= 0) output.shape[axis] *= context.args().integer("scale");
        }
        return {output};
      })
      .gradient([](const GradientContext& context) -> Gradients {
        if (context.output_gradient(0).empty() || !context.needs_gradient(0)) return no_gradients(context);
        const std::string gradient = context.input_gradient(0);
        return {{context.make("UpsampleNearestGradient", {context.output_gradient(0)}, {gradient})}, {gradient}};
      })
      .flops_per_output(0)
      .cpu(function_kernel(upsample_nearest_cpu<float>))
      .reference(function_kernel(upsample_nearest_cpu<double>));
}

OpSchema upsample_nearest_gradient_schema() {
  return OpSchema("UpsampleNearestGradient")
      .doc("dX = the sum of dY over the scale x scale pixels that one pixel of X was copied to, row by row.")
      .input("dY", "[N, C, H, W], gradient of UpsampleNearest's output, any layout")
      .output("dX", "[N, C, H / scale, W / scale], of the layout of dY")
      .arg("scale", std::int64_t{2}, "factor of both sides; must divide H and W")
      .range(1, 64)
      .layouts(LayoutRule::kSame)
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        context.require_real(0);
        context.require_rank(0, 4);
        const std::int64_t scale = context.args().integer("scale");
        TensorInfo output = context.input(0);
        for (std::size_t axis = 2; axis < 4; ++axis) {
          if (output.shape[axis] < 0) continue;
          LS_CHECK(kShape, output.shape[axis] % scale == 0,
                   "[UpsampleNearestGradient] input 'dY' must have sides divisible by {}, got {}", scale,
                   to_string(context.input(0)));
          output.shape[axis] /= scale;
        }
        return {output};
      })
      .no_gradient(kNoSecondDerivative)
      .cpu(function_kernel(upsample_nearest_gradient_cpu<float>))
      .reference(function_kernel(upsample_nearest_gradient_cpu<double>));
}

}  // namespace lockstep
