// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void fc_cpu(KernelContext& context);
void fc_weight_gradient_cpu(KernelContext& context);
void fc_data_gradient_cpu(KernelContext& context);
KernelChoice choose_fc(DeviceContext& device, const OpSizes& sizes);
KernelChoice choose_fc_weight_gradient(DeviceContext& device, const OpSizes& sizes);
KernelChoice choose_fc_data_gradient(DeviceContext& device, const OpSizes& sizes);
void fc_reference(KernelContext& context);
void fc_weight_gradient_reference(KernelContext& context);
void fc_data_gradient_reference(KernelContext& context);

namespace {

void check_x_and_w(const InferContext& context) {
  context.require_real(0);
  context.require_real(1);
  context.require_rank(1, 2);
  const Shape& x = context.input(0).shape;
  LS_CHECK(kShape, x.size() >= 2, "[FC] input 'X' must have at least 2 axes, got {}", to_string(context.input(0)));
  std::int64_t features = 1;
  for (std::size_t axis = 1; axis < x.size(); ++axis) features = x[axis] < 0 ? -1 : features * x[axis];
  LS_CHECK(kShape, features < 0 || context.dim(1, 1) < 0 || features == context.dim(1, 1),
           "[FC] a row of 'X' {} has {} values, but a row of 'W' {} has {}", to_string(context.input(0)), features,
           to_string(context.input(1)), context.dim(1, 1));
}

void check_dy(const InferContext& context) {
  context.require_real(2);
  context.require_rank(2, 2);
  context.require_dim(2, 0, context.dim(0, 0), "the rows of X");
  context.require_dim(2, 1, context.dim(1, 0), "the rows of W");
}

// The same for all three passes: every row meets every weight once.
double fc_flops(const OpSizes& sizes) {
  return 2.0 * static_cast<double>(sizes.inputs[0].shape[0] * element_count(sizes.inputs[1].shape));
}

Gradients fc_gradient(const GradientContext& context) {
  Gradients gradients;
  gradients.input_gradients.resize(3);
  const std::string& dy = context.output_gradient(0);
  if (dy.empty()) return gradients;
  if (context.needs_gradient(1) || context.needs_gradient(2)) {
    const std::vector<std::string> outputs = {context.input_gradient(1), context.input_gradient(2)};
    gradients.ops.push_back(context.make("FCWeightGradient", {context.input(0), context.input(1), dy}, outputs));
    if (context.needs_gradient(1)) gradients.input_gradients[1] = outputs[0];
    if (context.needs_gradient(2)) gradients.input_gradients[2] = outputs[1];
  }
  if (context.needs_gradient(0)) {
    gradients.input_gradients[0] = context.input_gradient(0);
    gradients.ops.push_back(
        context.make("FCDataGradient", {context.input(0), context.input(1), dy}, {gradients.input_gradients[0]}));
  }
  return gradients;
}

}  // namespace

OpSchema fc_schema() {
  OpSchema schema("FC");
  schema
      .doc(
          "Fully connected layer: Y = X W^T + b, X taken as a matrix of rows. A row's last bits may depend on the "
          "number of rows.")
      .input("X", "[M,...] of any rank from 2; the axes after the first are one row of K values")
      .input("W", "weights [N,K]")
      .input("b", "bias [N]")
      .output("Y", "[M,N]; M may be 0")
      .layouts(LayoutRule::kPlain)
      .infer([](const InferContext& context) {
        check_x_and_w(context);
        context.require_real(2);
        context.require_rank(2, 1);
        context.require_dim(2, 0, context.dim(1, 0), "one bias per row of W");
        return std::vector<TensorInfo>{{context.real(), {context.dim(0, 0), context.dim(1, 0)}}};
      })
      .flops(fc_flops)
      .chooser(choose_fc)
      .gradient(fc_gradient)
      .cpu(function_kernel(fc_cpu))
      .reference(function_kernel(fc_reference));
  return schema;
}

OpSchema fc_weight_gradient_schema() {
  OpSchema schema("FCWeightGradient");
  schema.doc("Gradients of the weights and the bias of FC: dW = dY^T X, db = column sums of dY.")
      .input("X", "rows that FC read, [M,...]")
      .input("W", "weights [N,K]; only the shape is used")
      .input("dY", "gradient of Y [M,N]")
      .output("dW", "gradient of W [N,K]; zero when M is 0")
      .output("db", "gradient of b [N]; zero when M is 0")
      .layouts(LayoutRule::kPlain)
      .infer([](const InferContext& context) {
        check_x_and_w(context);
        check_dy(context);
        return std::vector<TensorInfo>{context.input(1), {context.real(), {context.dim(1, 0)}}};
      })
      .flops(fc_flops)
      .chooser(choose_fc_weight_gradient)
      .no_gradient("gradients of gradients are not supported")
      .cpu(function_kernel(fc_weight_gradient_cpu))
      .reference(function_kernel(fc_weight_gradient_reference));
  return schema;
}

OpSchema fc_data_gradient_schema() {
  OpSchema schema("FCDataGradient");
  schema.doc("Gradient of the rows that FC read: dX = dY W.")
      .input("X", "rows that FC read, [M,...]; only the shape is used")
      .input("W", "weights [N,K]")
      .input("dY", "gradient of Y [M,N]")
      .output("dX", "gradient of X, of its shape")
      .layouts(LayoutRule::kPlain)
      .infer([](const InferContext& context) {
        check_x_and_w(context);
        check_dy(context);
        return std::vector<TensorInfo>{context.input(0)};
      })
      .flops(fc_flops)
      .chooser(choose_fc_data_gradient)
      .no_gradient("gradients of gradients are not supported")
      .cpu(function_kernel(fc_data_gradient_cpu))
      .reference(function_kernel(fc_data_gradient_reference));
  return schema;
}

}  // namespace lockstep
