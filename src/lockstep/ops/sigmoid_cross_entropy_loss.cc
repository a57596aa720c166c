// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void sigmoid_cross_entropy_loss_cpu(KernelContext& context);
template <typename T>
void sigmoid_cross_entropy_loss_gradient_cpu(KernelContext& context);

namespace {

void require_rows_and_labels(const InferContext& context) {
  context.require_real(0);
  context.require_rank(0, 2);
  context.require_dim(0, 1, 1, "one logit per row");
  context.require_dtype(1, DType::kI32);
  context.require_rank(1, 1);
  context.require_dim(1, 0, context.dim(0, 0), "one label per row");
}

OpSchema& loss_args(OpSchema& schema) {
  return schema.required_arg("normalizer", 1.0, "what the sum is divided by: RPN.BATCH_SIZE_PER_IMAGE * images")
      .range(1e-12, 1e12)
      .arg("scale", 1.0, "factor of the loss, e.g. 1 / micro-batches of the step");
}

}  // namespace

OpSchema sigmoid_cross_entropy_loss_schema() {
  OpSchema schema("SigmoidCrossEntropyLoss");
  schema
      .doc(
          "loss = scale / normalizer * sum over rows with label 0 or 1 of max(x, 0) - x label + log(1 + exp(-|x|)): "
          "the "
          "objectness loss of an RPN (Ren et al., NIPS 2015; torch's binary_cross_entropy_with_logits).")
      .input("logits", "[R, 1]")
      .input("labels", "i32[R]: 1 object, 0 background, -1 not counted")
      .output("loss", "[1]")
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        require_rows_and_labels(context);
        return {{context.real(), {1}}};
      })
      .gradient([](const GradientContext& context) -> Gradients {
        Gradients gradients = no_gradients(context);
        if (context.output_gradient(0).empty() || !context.needs_gradient(0)) return gradients;
        gradients.input_gradients[0] = context.input_gradient(0);
        gradients.ops.push_back(context.make("SigmoidCrossEntropyLossGradient",
                                             {context.input(0), context.input(1), context.output_gradient(0)},
                                             {context.input_gradient(0)}));
        return gradients;
      })
      .cpu(function_kernel(sigmoid_cross_entropy_loss_cpu<float>))
      .reference(function_kernel(sigmoid_cross_entropy_loss_cpu<double>));
  return loss_args(schema);
}

OpSchema sigmoid_cross_entropy_loss_gradient_schema() {
  OpSchema schema("SigmoidCrossEntropyLossGradient");
  schema.doc("dlogits = dloss * scale / normalizer * (sigmoid(x) - label), 0 where the label is -1.")
      .input("logits", "[R, 1]")
      .input("labels", "i32[R]")
      .input("dloss", "[1]")
      .output("dlogits", "[R, 1]")
      .infer([](const InferContext& context) {
        require_rows_and_labels(context);
        context.require_real(2);
        context.require_rank(2, 1);
        context.require_dim(2, 0, 1, "the gradient of a scalar loss");
        return same_as_first_input(context);
      })
      .no_gradient(kNoSecondDerivative)
      .cpu(function_kernel(sigmoid_cross_entropy_loss_gradient_cpu<float>))
      .reference(function_kernel(sigmoid_cross_entropy_loss_gradient_cpu<double>));
  return loss_args(schema);
}

}  // namespace lockstep
