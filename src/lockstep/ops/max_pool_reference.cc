// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/graph/kernel.h"

namespace lockstep {

void max_pool_reference(KernelContext& context) {
  const OpArgs& args = context.args();
  const std::int64_t kernel = args.integer("kernel"), stride = args.integer("stride"), pad = args.integer("pad");
  const Tensor& x = context.input(0);
  const std::int64_t height = x.dim(2), width = x.dim(3);
  const std::int64_t out_height = window_output_size(height, kernel, stride, pad);
  const std::int64_t out_width = window_output_size(width, kernel, stride, pad);
  const Shape shape = {x.dim(0), x.dim(1), out_height, out_width};
  context.output(0).resize(DType::kF64, shape);
  if (context.output_count() > 1) context.output(1).resize(DType::kU8, shape);
  for (std::int64_t i = 0; i < context.output(0).size(); ++i) {
    const double* plane = x.data<double>() + i / (out_height * out_width) * height * width;
    const std::int64_t top = i / out_width % out_height * stride - pad;
    const std::int64_t left = i % out_width * stride - pad;
    double best = -std::numeric_limits<double>::infinity();
    std::int64_t place = -1;
    for (std::int64_t at = 0; at < kernel * kernel; ++at) {
      const std::int64_t row = top + at / kernel, column = left + at % kernel;
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const double value = plane[row * width + column];
      if (place >= 0 && value <= best) continue;
      best = value;
      place = at;
    }
    context.output(0).data<double>()[i] = best;
    if (context.output_count() > 1) context.output(1).data<std::uint8_t>()[i] = static_cast<std::uint8_t>(place);
  }
}

void max_pool_gradient_reference(KernelContext& context) {
  const OpArgs& args = context.args();
  const std::int64_t kernel = args.integer("kernel"), stride = args.integer("stride"), pad = args.integer("pad");
  const Tensor& dy = context.input(2);
  Tensor& dx = context.output(0);
  dx.resize(DType::kF64, context.input(0).shape());
  dx.fill_zero();
  const std::int64_t height = dx.dim(2), width = dx.dim(3), out_height = dy.dim(2), out_width = dy.dim(3);
  for (std::int64_t i = 0; i < dy.size(); ++i) {
    const std::int64_t at = context.input(1).data<std::uint8_t>()[i];
    const std::int64_t row = i / out_width % out_height * stride - pad + at / kernel;
    const std::int64_t column = i % out_width * stride - pad + at % kernel;
    dx.data<double>()[(i / (out_height * out_width) * height + row) * width + column] += dy.data<double>()[i];
  }
}

}  // namespace lockstep
