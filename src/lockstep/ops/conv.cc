// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/schemas.h"
#include "lockstep/ops/window_shape.h"

namespace lockstep {

void conv_cpu(KernelContext& context);
void conv_weight_gradient_cpu(KernelContext& context);
void conv_data_gradient_cpu(KernelContext& context);
KernelChoice choose_conv(DeviceContext& device, const OpSizes& sizes);
KernelChoice choose_conv_weight_gradient(DeviceContext& device, const OpSizes& sizes);
KernelChoice choose_conv_data_gradient(DeviceContext& device, const OpSizes& sizes);
void conv_reference(KernelContext& context);
void conv_weight_gradient_reference(KernelContext& context);
void conv_data_gradient_reference(KernelContext& context);

namespace {

void add_args(OpSchema& schema) {
  schema.arg("stride", std::int64_t{1}, "step of the window in both image axes")
      .range(1, 64)
      .arg("pad", std::int64_t{0}, "zeros added on every side of the image")
      .range(0, 256)
      .arg("dilation", std::int64_t{1}, "distance between the taps of the kernel")
      .range(1, 64)
      .arg("group", std::int64_t{1}, "groups: output channel o sees only the input channels of its own group")
      .range(1, 1 << 16);
}

void check_x_and_w(const InferContext& context) {
  context.require_real(0);
  context.require_rank(0, 4);
  context.require_real(1);
  context.require_rank(1, 4);
  const std::int64_t group = context.args().integer("group");
  const std::int64_t outputs = context.dim(1, 0);
  const std::int64_t inputs = context.dim(1, 1);
  LS_CHECK(kShape, outputs < 0 || outputs % group == 0,
           "[Conv] {} output channels cannot be cut into {} groups; W is {}", outputs, group,
           to_string(context.input(1)));
  context.require_dim(0, 1, inputs < 0 ? -1 : inputs * group,
                      "group times the input channels of W " + to_string(context.input(1)));
}

Shape output_shape(const InferContext& context) {
  const OpArgs& args = context.args();
  const auto size = [&](int axis) {
    return infer_window_size(context, axis, context.dim(1, axis), args.integer("stride"), args.integer("pad"),
                             args.integer("dilation"));
  };
  return {context.dim(0, 0), context.dim(1, 0), size(2), size(3)};
}

void check_dy(const InferContext& context) {
  context.require_real(2);
  context.require_rank(2, 4);
  const Shape y = output_shape(context);
  for (int axis = 0; axis < 4; ++axis) {
    context.require_dim(2, axis, y[static_cast<std::size_t>(axis)], "the shape of Y is " + to_string(y));
  }
}

// The same for all three passes: every output position meets every tap of the kernels once.
double conv_flops(const OpSizes& sizes, const Shape& y, bool bias) {
  const Shape& w = sizes.inputs[1].shape;
  const auto positions = static_cast<double>(element_count(y));
  return positions * (2.0 * static_cast<double>(w[1] * w[2] * w[3]) + (bias ? 1 : 0));
}

Gradients conv_gradient(const GradientContext& context) {
  Gradients gradients;
  gradients.input_gradients.resize(static_cast<std::size_t>(context.input_count()));
  const std::string& dy = context.output_gradient(0);
  if (dy.empty()) return gradients;
  const bool bias = context.input_count() > 2 && context.needs_gradient(2);
  if (context.needs_gradient(1) || bias) {
    std::vector<std::string> outputs = {context.input_gradient(1)};
    if (bias) outputs.push_back(context.input_gradient(2));
    gradients.ops.push_back(context.make("ConvWeightGradient", {context.input(0), context.input(1), dy}, outputs));
    if (context.needs_gradient(1)) gradients.input_gradients[1] = outputs[0];
    if (bias) gradients.input_gradients[2] = outputs[1];
  }
  if (context.needs_gradient(0)) {
    gradients.input_gradients[0] = context.input_gradient(0);
    gradients.ops.push_back(
        context.make("ConvDataGradient", {context.input(0), context.input(1), dy}, {gradients.input_gradients[0]}));
  }
  return gradients;
}

}  // namespace

OpSchema conv_schema() {
  OpSchema schema("Conv");
  schema
      .doc(
          "Cross-correlation of images with a bank of kernels, zero-padded: Y[n,o,y,x] = b[o] + sum over i,u,v of "
          "W[o,i,u,v] X[n, i, y*stride + u*dilation - pad, x*stride + v*dilation - pad].")
      .input("X", "images [N,C,H,W]")
      .input("W", "kernels [O,C/group,KH,KW], row-major")
      .input("b", "bias [O]")
      .optional_inputs(1)
      .output("Y",
              "[N,O,H',W'], H' = floor((H + 2 pad - dilation (KH - 1) - 1) / stride) + 1, W' likewise; the layout is "
              "the one that the device's convolutions prefer")
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        check_x_and_w(context);
        if (context.input_count() > 2) {
          context.require_real(2);
          context.require_rank(2, 1);
          context.require_dim(2, 0, context.dim(1, 0), "one bias per output channel");
        }
        return std::vector<TensorInfo>{{context.real(), output_shape(context)}};
      })
      .flops([](const OpSizes& sizes) { return conv_flops(sizes, sizes.outputs[0].shape, sizes.inputs.size() > 2); })
      .chooser(choose_conv)
      .gradient(conv_gradient)
      .cpu(function_kernel(conv_cpu))
      .reference(function_kernel(conv_reference));
  add_args(schema);
  return schema;
}

OpSchema conv_weight_gradient_schema() {
  OpSchema schema("ConvWeightGradient");
  schema.doc("Gradients of the kernels and the bias of Conv.")
      .input("X", "images that Conv read [N,C,H,W]")
      .input("W", "kernels; only the shape is used")
      .input("dY", "gradient of Y [N,O,H',W']")
      .output("dW", "gradient of W, of its shape; zero when there are no images")
      .output("db", "gradient of b [O]")
      .optional_outputs(1)
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        check_x_and_w(context);
        check_dy(context);
        std::vector<TensorInfo> outputs = {context.input(1)};
        if (context.output_count() > 1) outputs.push_back({context.real(), {context.dim(1, 0)}});
        return outputs;
      })
      .flops([](const OpSizes& sizes) { return conv_flops(sizes, sizes.inputs[2].shape, sizes.outputs.size() > 1); })
      .chooser(choose_conv_weight_gradient)
      .no_gradient("gradients of gradients are not supported")
      .cpu(function_kernel(conv_weight_gradient_cpu))
      .reference(function_kernel(conv_weight_gradient_reference));
  add_args(schema);
  return schema;
}

OpSchema conv_data_gradient_schema() {
  OpSchema schema("ConvDataGradient");
  schema.doc("Gradient of the images that Conv read.")
      .input("X", "images that Conv read [N,C,H,W]; only the shape is used")
      .input("W", "kernels [O,C/group,KH,KW]")
      .input("dY", "gradient of Y [N,O,H',W']")
      .output("dX", "gradient of X, of its shape, in the layout that the device's convolutions prefer")
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        check_x_and_w(context);
        check_dy(context);
        return std::vector<TensorInfo>{context.input(0)};
      })
      .flops([](const OpSizes& sizes) { return conv_flops(sizes, sizes.inputs[2].shape, false); })
      .chooser(choose_conv_data_gradient)
      .no_gradient("gradients of gradients are not supported")
      .cpu(function_kernel(conv_data_gradient_cpu))
      .reference(function_kernel(conv_data_gradient_reference));
  add_args(schema);
  return schema;
}

}  // namespace lockstep
