// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/graph/kernel.h"

namespace lockstep {

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
