// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/graph/schema.h"
#include "lockstep/ops/dnnl_choice.h"

namespace lockstep {
namespace {

KernelChoice choose(DeviceContext& device, const OpSizes& sizes, InnerProductPass pass) {
  return dnnl_choice(report_inner_product(as_cpu(device), pass, sizes.inputs[0].shape, sizes.inputs[1].shape),
                     sizes.outputs.size());
}

}  // namespace

KernelChoice choose_fc(DeviceContext& device, const OpSizes& sizes) {
  return choose(device, sizes, InnerProductPass::kForward);
}
KernelChoice choose_fc_weight_gradient(DeviceContext& device, const OpSizes& sizes) {
  return choose(device, sizes, InnerProductPass::kBackwardWeights);
}
KernelChoice choose_fc_data_gradient(DeviceContext& device, const OpSizes& sizes) {
  return choose(device, sizes, InnerProductPass::kBackwardData);
}

void fc_cpu(KernelContext& context) {
  inner_product_forward(as_cpu(context.device()), context.input(0), context.input(1), context.input(2),
                        context.output(0));
}

void fc_weight_gradient_cpu(KernelContext& context) {
  inner_product_backward_weights(as_cpu(context.device()), context.input(0), context.input(2), context.output(0),
                                 context.output(1));
}

void fc_data_gradient_cpu(KernelContext& context) {
  inner_product_backward_data(as_cpu(context.device()), context.input(0).shape(), context.input(1), context.input(2),
                              context.output(0));
}

}  // namespace lockstep
