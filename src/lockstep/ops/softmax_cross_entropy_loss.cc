// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

template <typename T>
void softmax_cross_entropy_loss_cpu(KernelContext& context);
template <typename T>
void softmax_cross_entropy_loss_gradient_cpu(KernelContext& context);

namespace {

void require_rows_and_labels(const InferContext& context) {
  context.require_real(0);
  context.require_rank(0, 2);
  context.require_dtype(1, DType::kI32);
  context.require_rank(1, 1);
  context.require_dim(1, 0, context.dim(0, 0), "one label per row");
}

constexpr char kScaleDoc[] = "factor of the loss, e.g. 1 / micro-batches of the step";

}  // namespace

OpSchema softmax_cross_entropy_loss_schema() {
  return OpSchema("SoftmaxCrossEntropyLoss")
      .doc(
          "loss = scale * mean over rows of -log softmax(logits[r])[labels[r]]; 0 without rows. The classification "
          "loss "
          "of Fast R-CNN (Girshick, ICCV 2015; torch's cross_entropy).")
      .input("logits", "[R, C]")
      .input("labels", "i32[R], classes in [0, C)")
      .output("loss", "[1]")
      .output("prob", "[R, C], softmax of the logits; no gradient flows back through it")
      .arg("scale", 1.0, kScaleDoc)
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        require_rows_and_labels(context);
        return {{context.real(), {1}}, context.input(0)};
      })
      .gradient([](const GradientContext& context) -> Gradients {
        Gradients gradients = no_gradients(context);
        LS_CHECK(kGraph, context.output_gradient(1).empty(),
                 "[SoftmaxCrossEntropyLoss] no gradient flows through output 'prob' ('{}'); use Softmax for that",
                 context.output(1));
        if (context.output_gradient(0).empty() || !context.needs_gradient(0)) return gradients;
        gradients.input_gradients[0] = context.input_gradient(0);
        gradients.ops.push_back(context.make("SoftmaxCrossEntropyLossGradient",
                                             {context.output(1), context.input(1), context.output_gradient(0)},
                                             {context.input_gradient(0)}));
        return gradients;
      })
      .cpu(function_kernel(softmax_cross_entropy_loss_cpu<float>))
      .reference(function_kernel(softmax_cross_entropy_loss_cpu<double>));
}

OpSchema softmax_cross_entropy_loss_gradient_schema() {
  return OpSchema("SoftmaxCrossEntropyLossGradient")
      .doc("dlogits[r,c] = dloss * scale / R * (prob[r,c] - (c == labels[r])).")
      .input("prob", "[R, C], from SoftmaxCrossEntropyLoss")
      .input("labels", "i32[R]")
      .input("dloss", "[1]")
      .output("dlogits", "[R, C]")
      .arg("scale", 1.0, kScaleDoc)
      .in_place(0, 0)
      .infer([](const InferContext& context) {
        require_rows_and_labels(context);
        context.require_real(2);
        context.require_rank(2, 1);
        context.require_dim(2, 0, 1, "the gradient of a scalar loss");
        return same_as_first_input(context);
      })
      .no_gradient(kNoSecondDerivative)
      .cpu(function_kernel(softmax_cross_entropy_loss_gradient_cpu<float>))
      .reference(function_kernel(softmax_cross_entropy_loss_gradient_cpu<double>));
}

}  // namespace lockstep
