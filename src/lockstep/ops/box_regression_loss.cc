// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void box_regression_loss_cpu(KernelContext& context);
template <typename T>
void box_regression_loss_gradient_cpu(KernelContext& context);

namespace {

void require_boxes(const InferContext& context) {
  context.require_real(0);
  context.require_rank(0, 2);
  LS_CHECK(kShape, context.dim(0, 1) < 0 || (context.dim(0, 1) > 0 && context.dim(0, 1) % 4 == 0),
           "[BoxRegressionLoss] input 'pred' must have 4 columns per class, got {}", to_string(context.input(0)));
  context.require_real(1);
  context.require_rank(1, 2);
  context.require_dim(1, 0, context.dim(0, 0), "one target per row");
  context.require_dim(1, 1, 4, "the four deltas of a box");
  context.require_dtype(2, DType::kI32);
  context.require_rank(2, 1);
  context.require_dim(2, 0, context.dim(0, 0), "one label per row");
}

OpSchema& loss_args(OpSchema& schema) {
  return schema.arg("beta", 0.0, "where |d| turns from quadratic to linear; below 1e-5 the loss is L1")
      .range(0.0, 1e6)
      .required_arg("fg_low", std::int64_t{0}, "rows with fg_low <= label < fg_high are foreground")
      .required_arg("fg_high", std::int64_t{1}, "one past the last foreground label")
      .arg("class_agnostic", std::int64_t{0}, "1: all classes share columns 0..3; 0: class k has columns 4k..4k+3")
      .range(0, 1)
      .arg("normalizer", 0.0, "what the sum is divided by; 0 is the number of rows R, at least 1")
      .range(0.0, 1e12)
      .arg("scale", 1.0, "factor of the loss, e.g. 1 / micro-batches of the step");
}

}  // namespace

OpSchema box_regression_loss_schema() {
  OpSchema schema("BoxRegressionLoss");
  schema
      .doc(
          "loss = scale / normalizer * sum over foreground rows and the 4 deltas of smooth_l1(pred - target), with "
          "smooth_l1(d) = 0.5 d^2 / beta where |d| < beta, else |d| - 0.5 beta (Girshick, ICCV 2015; fvcore's "
          "smooth_l1_loss; normalised as Detectron2's box_reg_loss).")
      .input("pred", "[R, 4 k], predicted deltas, k blocks of 4 columns")
      .input("targets", "[R, 4], wanted deltas; rows that are no foreground are not read")
      .input("labels", "i32[R]")
      .output("loss", "[1]")
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        require_boxes(context);
        return {{context.real(), {1}}};
      })
      .gradient([](const GradientContext& context) -> Gradients {
        LS_CHECK(kGraph, !context.needs_gradient(1),
                 "[BoxRegressionLoss] no gradient flows back to input 'targets' ('{}')", context.input(1));
        Gradients gradients = no_gradients(context);
        if (context.output_gradient(0).empty() || !context.needs_gradient(0)) return gradients;
        gradients.input_gradients[0] = context.input_gradient(0);
        gradients.ops.push_back(
            context.make("BoxRegressionLossGradient",
                         {context.input(0), context.input(1), context.input(2), context.output_gradient(0)},
                         {context.input_gradient(0)}));
        return gradients;
      })
      .cpu(function_kernel(box_regression_loss_cpu<float>))
      .reference(function_kernel(box_regression_loss_cpu<double>));
  return loss_args(schema);
}

OpSchema box_regression_loss_gradient_schema() {
  OpSchema schema("BoxRegressionLossGradient");
  schema
      .doc(
          "dpred = dloss * scale / normalizer * d / beta where |d| < beta, else the sign of d; zero in the columns of "
          "other classes and in rows that are no foreground.")
      .input("pred", "[R, 4 k]")
      .input("targets", "[R, 4]")
      .input("labels", "i32[R]")
      .input("dloss", "[1]")
      .output("dpred", "[R, 4 k]")
      .infer([](const InferContext& context) {
        require_boxes(context);
        context.require_real(3);
        context.require_rank(3, 1);
        context.require_dim(3, 0, 1, "the gradient of a scalar loss");
        return same_as_first_input(context);
      })
      .no_gradient(kNoSecondDerivative)
      .cpu(function_kernel(box_regression_loss_gradient_cpu<float>))
      .reference(function_kernel(box_regression_loss_gradient_cpu<double>));
  return loss_args(schema);
}

}  // namespace lockstep
