// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/graph/schema.h"
#include "lockstep/ops/dnnl_choice.h"

namespace lockstep {
namespace {

ConvGeometry geometry(const OpArgs& args) {
  return {args.integer("stride"), args.integer("pad"), args.integer("dilation"), args.integer("group")};
}

}  // namespace

void conv_cpu(KernelContext& context) {
  const Tensor* bias = context.input_count() > 2 ? &context.input(2) : nullptr;
  convolution_forward(as_cpu(context.device()), context.input(0), context.input(1), bias, geometry(context.args()),
                      context.output(0));
}

void conv_weight_gradient_cpu(KernelContext& context) {
  Tensor* dbias = context.output_count() > 1 ? &context.output(1) : nullptr;
  convolution_backward_weights(as_cpu(context.device()), context.input(0), context.input(1).shape(), context.input(2),
                               geometry(context.args()), context.output(0), dbias);
}

void conv_data_gradient_cpu(KernelContext& context) {
  convolution_backward_data(as_cpu(context.device()), context.input(0).shape(), context.input(1), context.input(2),
                            geometry(context.args()), context.output(0));
}

KernelChoice choose_conv(DeviceContext& device, const OpSizes& sizes) {
  return dnnl_choice(report_convolution_forward(as_cpu(device), sizes.inputs[0].shape, sizes.layouts[0],
                                                sizes.inputs[1].shape, sizes.inputs.size() > 2, geometry(sizes.args)),
                     1);
}

KernelChoice choose_conv_weight_gradient(DeviceContext& device, const OpSizes& sizes) {
  KernelChoice choice = dnnl_choice(report_convolution_backward_weights(
                                        as_cpu(device), sizes.inputs[0].shape, sizes.layouts[0], sizes.inputs[1].shape,
                                        sizes.layouts[2], geometry(sizes.args), sizes.outputs.size() > 1),
                                    sizes.outputs.size());
  choice.layouts.assign(sizes.outputs.size(), Layout::kPlain);  // the layout of parameters
  return choice;
}

KernelChoice choose_conv_data_gradient(DeviceContext& device, const OpSizes& sizes) {
  return dnnl_choice(report_convolution_backward_data(as_cpu(device), sizes.inputs[0].shape, sizes.inputs[1].shape,
                                                      sizes.layouts[2], geometry(sizes.args)),
                     1);
}

}  // namespace lockstep
