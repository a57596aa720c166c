// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/graph/kernel.h"

namespace lockstep {
namespace {

PoolGeometry geometry(const OpArgs& args) {
  return {args.integer("kernel"), args.integer("stride"), args.integer("pad")};
}

}  // namespace

void max_pool_cpu(KernelContext& context) {
  Tensor* index = context.output_count() > 1 ? &context.output(1) : nullptr;
  max_pool_forward(as_cpu(context.device()), context.input(0), geometry(context.args()), context.output(0), index);
}

void max_pool_gradient_cpu(KernelContext& context) {
  max_pool_backward(as_cpu(context.device()), context.input(0).shape(), context.input(1), context.input(2),
                    geometry(context.args()), context.output(0));
}

}  // namespace lockstep
