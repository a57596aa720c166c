// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/graph/kernel.h"

namespace lockstep {
namespace {

// Calls visit(index into X, index into W, index into Y) for every product that a convolution sums.
template <typename Visit>
void for_each_product(const OpArgs& args, const Shape& x, const Shape& w, const Shape& y, Visit visit) {
  const std::int64_t stride = args.integer("stride"), pad = args.integer("pad"), dilation = args.integer("dilation");
  const std::int64_t outputs_per_group = w[0] / args.integer("group");
  for (std::int64_t n = 0; n < y[0]; ++n) {
    for (std::int64_t o = 0; o < y[1]; ++o) {
      for (std::int64_t i = 0; i < w[1]; ++i) {
        const std::int64_t channel = o / outputs_per_group * w[1] + i;
        for (std::int64_t row = 0; row < y[2]; ++row) {
          for (std::int64_t column = 0; column < y[3]; ++column) {
            for (std::int64_t u = 0; u < w[2]; ++u) {
              for (std::int64_t v = 0; v < w[3]; ++v) {
                const std::int64_t source_row = row * stride + u * dilation - pad;
                const std::int64_t source_column = column * stride + v * dilation - pad;
                if (source_row < 0 || source_row >= x[2] || source_column < 0 || source_column >= x[3]) continue;
                visit(((n * x[1] + channel) * x[2] + source_row) * x[3] + source_column,
                      ((o * w[1] + i) * w[2] + u) * w[3] + v, ((n * y[1] + o) * y[2] + row) * y[3] + column);
              }
            }
          }
        }
      }
    }
  }
}

Shape output_shape(const OpArgs& args, const Shape& x, const Shape& w) {
  const auto size = [&](std::size_t axis) {
    return window_output_size(x[axis], w[axis], args.integer("stride"), args.integer("pad"), args.integer("dilation"));
  };
  return {x[0], w[0], size(2), size(3)};
}

}  // namespace

void conv_reference(KernelContext& context) {
  const Tensor& x = context.input(0);
  const Tensor& w = context.input(1);
  Tensor& y = context.output(0);
  y.resize(DType::kF64, output_shape(context.args(), x.shape(), w.shape()));
  y.fill_zero();
  for_each_product(context.args(), x.shape(), w.shape(), y.shape(),
                   [xs = x.data<double>(), ws = w.data<double>(), ys = y.data<double>()](
                       std::int64_t xi, std::int64_t wi, std::int64_t yi) { ys[yi] += xs[xi] * ws[wi]; });
  if (context.input_count() < 3) return;
  const double* bias = context.input(2).data<double>();
  const std::int64_t pixels = y.dim(2) * y.dim(3);
  for (std::int64_t i = 0; i < y.size(); ++i) y.data<double>()[i] += bias[i / pixels % y.dim(1)];
}

void conv_weight_gradient_reference(KernelContext& context) {
  const Tensor& x = context.input(0);
  const Tensor& dy = context.input(2);
  Tensor& dw = context.output(0);
  dw.resize(DType::kF64, context.input(1).shape());
  dw.fill_zero();
  for_each_product(context.args(), x.shape(), dw.shape(), dy.shape(),
                   [xs = x.data<double>(), ws = dw.data<double>(), ys = dy.data<double>()](
                       std::int64_t xi, std::int64_t wi, std::int64_t yi) { ws[wi] += xs[xi] * ys[yi]; });
  if (context.output_count() < 2) return;
  Tensor& db = context.output(1);
  db.resize(DType::kF64, {dw.dim(0)});
  db.fill_zero();
  const std::int64_t pixels = dy.dim(2) * dy.dim(3);
  for (std::int64_t i = 0; i < dy.size(); ++i) db.data<double>()[i / pixels % dy.dim(1)] += dy.data<double>()[i];
}

void conv_data_gradient_reference(KernelContext& context) {
  const Tensor& w = context.input(1);
  const Tensor& dy = context.input(2);
  Tensor& dx = context.output(0);
  dx.resize(DType::kF64, context.input(0).shape());
  dx.fill_zero();
  for_each_product(context.args(), dx.shape(), w.shape(), dy.shape(),
                   [xs = dx.data<double>(), ws = w.data<double>(), ys = dy.data<double>()](
                       std::int64_t xi, std::int64_t wi, std::int64_t yi) { xs[xi] += ws[wi] * ys[yi]; });
}

}  // namespace lockstep
