// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/graph/kernel.h"

namespace lockstep {

void fc_reference(KernelContext& context) {
  const Tensor& w = context.input(1);
  const double* xs = context.input(0).data<double>();
  const double* bias = context.input(2).data<double>();
  double* ys = context.output(0).data<double>();
  const std::int64_t rows = context.input(0).dim(0), n = w.dim(0), k = w.dim(1);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t o = 0; o < n; ++o) {
      double sum = bias[o];
      for (std::int64_t i = 0; i < k; ++i) sum += xs[row * k + i] * w.data<double>()[o * k + i];
      ys[row * n + o] = sum;
    }
  }
}

void fc_weight_gradient_reference(KernelContext& context) {
  Tensor& dw = context.output(0);
  Tensor& db = context.output(1);
  dw.fill_zero();
  db.fill_zero();
  const double* xs = context.input(0).data<double>();
  const double* dys = context.input(2).data<double>();
  const std::int64_t rows = context.input(0).dim(0), n = dw.dim(0), k = dw.dim(1);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t o = 0; o < n; ++o) {
      const double dy = dys[row * n + o];
      db.data<double>()[o] += dy;
      for (std::int64_t i = 0; i < k; ++i) dw.data<double>()[o * k + i] += dy * xs[row * k + i];
    }
  }
}

void fc_data_gradient_reference(KernelContext& context) {
  const Tensor& w = context.input(1);
  const double* dys = context.input(2).data<double>();
  Tensor& dx = context.output(0);
  dx.fill_zero();
  const std::int64_t rows = dx.dim(0), n = w.dim(0), k = w.dim(1);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t o = 0; o < n; ++o) {
      for (std::int64_t i = 0; i < k; ++i) {
        dx.data<double>()[row * k + i] += dys[row * n + o] * w.data<double>()[o * k + i];
      }
    }
  }
}

}  // namespace lockstep
