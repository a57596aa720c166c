// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"
#include "lockstep/ops/window_shape.h"

namespace lockstep {

void max_pool_cpu(KernelContext& context);
void max_pool_gradient_cpu(KernelContext& context);
void max_pool_reference(KernelContext& context);
void max_pool_gradient_reference(KernelContext& context);

namespace {

// 15 x 15 is the largest window whose positions fit into a byte.
void add_args(OpSchema& schema) {
  schema.required_arg("kernel", std::int64_t{2}, "window size in both image axes")
      .range(1, 15)
      .arg("stride", std::int64_t{2}, "step of the window in both image axes")
      .range(1, 64)
      .arg("pad", std::int64_t{0}, "border on every side of the image that never wins; at most half the kernel")
      .range(0, 7);
}

Shape output_shape(const InferContext& context) {
  const OpArgs& args = context.args();
  const std::int64_t kernel = args.integer("kernel"), pad = args.integer("pad");
  LS_CHECK(kShape, 2 * pad <= kernel, "[MaxPool] pad {} is more than half of kernel {}: a window could be empty", pad,
           kernel);
  const auto size = [&](int axis) { return infer_window_size(context, axis, kernel, args.integer("stride"), pad, 1); };
  return {context.dim(0, 0), context.dim(0, 1), size(2), size(3)};
}

}  // namespace

OpSchema max_pool_schema() {
  OpSchema schema("MaxPool");
  schema.doc("Maximum over a sliding window of each channel. With kernel 1 it is subsampling.")
      .input("X", "images [N,C,H,W]")
      .output("Y", "[N,C,H',W'], H' = floor((H + 2 pad - kernel) / stride) + 1, W' likewise; the layout of X")
      .output("index",
              "u8 of Y's shape and layout: position of the maximum in its window, row-major over all kernel x kernel "
              "positions; the lower one when values tie. Needed for training only")
      .optional_outputs(1)
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 4);
        std::vector<TensorInfo> outputs = {{context.real(), output_shape(context)}};
        if (context.output_count() > 1) outputs.push_back({DType::kU8, outputs[0].shape});
        return outputs;
      })
      .gradient([](const GradientContext& context) {
        Gradients gradients;
        gradients.input_gradients.resize(1);
        const std::string& dy = context.output_gradient(0);
        if (dy.empty() || !context.needs_gradient(0)) return gradients;
        LS_CHECK(kGraph, context.output_count() > 1, "MaxPool '{}' needs its output 'index' to be trained",
                 context.op().name());
        gradients.input_gradients[0] = context.input_gradient(0);
        gradients.ops.push_back(
            context.make("MaxPoolGradient", {context.input(0), context.output(1), dy}, {gradients.input_gradients[0]}));
        return gradients;
      })
      .flops([](const OpSizes& sizes) {
        const auto kernel = static_cast<double>(sizes.args.integer("kernel"));
        return kernel * kernel * static_cast<double>(element_count(sizes.outputs[0].shape));
      })
      .chooser([](DeviceContext&, const OpSizes& sizes) { return own_kernel_in(sizes.layouts[0], sizes); })
      .cpu(function_kernel(max_pool_cpu))
      .reference(function_kernel(max_pool_reference));
  add_args(schema);
  return schema;
}

OpSchema max_pool_gradient_schema() {
  OpSchema schema("MaxPoolGradient");
  schema.doc("Gradient of MaxPool: each element of dY goes to the maximum of its window.")
      .input("X", "images that MaxPool read [N,C,H,W]; only the shape is used")
      .input("index", "positions of the maxima, from MaxPool")
      .input("dY", "gradient of Y [N,C,H',W']")
      .output("dX", "gradient of X, of its shape, in the layout of index")
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 4);
        context.require_dtype(1, DType::kU8);
        context.require_real(2);
        context.require_same_shape(1, 2);
        const Shape y = output_shape(context);
        for (int axis = 0; axis < 4; ++axis) {
          context.require_dim(2, axis, y[static_cast<std::size_t>(axis)], "the shape of Y is " + to_string(y));
        }
        return std::vector<TensorInfo>{context.input(0)};
      })
      .no_gradient("gradients of gradients are not supported")
      .chooser([](DeviceContext&, const OpSizes& sizes) { return own_kernel_in(sizes.layouts[1], sizes); })
      .cpu(function_kernel(max_pool_gradient_cpu))
      .reference(function_kernel(max_pool_gradient_reference));
  add_args(schema);
  return schema;
}

}  // namespace lockstep
