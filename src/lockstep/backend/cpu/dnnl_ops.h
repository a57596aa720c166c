// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/tensor/tensor.h"

// Library kernels on f32 tensors. Each call may run in any thread that may run work of the device
// (enter_thread is called inside), gives the same bits for the same T and instruction set, resizes its
// outputs, and accepts empty batches: outputs are then empty, parameter gradients zero. Shapes are the
// caller's business; a mismatch is an internal error.
namespace lockstep {

struct ConvGeometry {
  std::int64_t stride = 1;
  std::int64_t pad = 0;
  std::int64_t dilation = 1;
  std::int64_t group = 1;
};

struct PoolGeometry {
  std::int64_t kernel = 2;
  std::int64_t stride = 2;
  std::int64_t pad = 0;
};

// What oneDNN chose for one call, without running it.
struct DnnlReport {
  std::string implementation;              // such as "brgconv:avx512_core"
  Layout layout = Layout::kPlain;          // of the output that oneDNN lays out
  std::vector<std::size_t> scratch_bytes;  // per work area (scratch.h)
  std::vector<std::string> converted;      // tensors that are reordered for it: X, W, dY, ...
};

// Size of one image axis after a window op (floor mode); 0 when the input is empty. Negative or 0 when the
// window does not fit.
std::int64_t window_output_size(std::int64_t input, std::int64_t kernel, std::int64_t stride, std::int64_t pad,
                                std::int64_t dilation = 1);

// x[N,C,H,W] of any layout, w[O,C/group,K,K] plain, bias[O] or null -> y[N,O,H',W'] in the layout oneDNN prefers.
void convolution_forward(CpuDevice& device, const Tensor& x, const Tensor& w, const Tensor* bias,
                         const ConvGeometry& geometry, Tensor& y);
DnnlReport report_convolution_forward(CpuDevice& device, const Shape& x, Layout x_layout, const Shape& w, bool bias,
                                      const ConvGeometry& geometry);
// Gradient of the convolution's input, of shape x_shape, in the layout oneDNN prefers.
void convolution_backward_data(CpuDevice& device, const Shape& x_shape, const Tensor& w, const Tensor& dy,
                               const ConvGeometry& geometry, Tensor& dx);
DnnlReport report_convolution_backward_data(CpuDevice& device, const Shape& x, const Shape& w, Layout dy_layout,
                                            const ConvGeometry& geometry);
// Gradients of weights (plain, of shape w_shape) and bias (when dbias is not null).
void convolution_backward_weights(CpuDevice& device, const Tensor& x, const Shape& w_shape, const Tensor& dy,
                                  const ConvGeometry& geometry, Tensor& dw, Tensor* dbias);

DnnlReport report_convolution_backward_weights(CpuDevice& device, const Shape& x, Layout x_layout, const Shape& w,
                                               Layout dy_layout, const ConvGeometry& geometry, bool bias);

// x of any rank >= 2, plain, taken as [M,K]; w[N,K]; bias[N] -> y[M,N]. A row's last bits may depend on M.
void inner_product_forward(CpuDevice& device, const Tensor& x, const Tensor& w, const Tensor& bias, Tensor& y);
void inner_product_backward_data(CpuDevice& device, const Shape& x_shape, const Tensor& w, const Tensor& dy,
                                 Tensor& dx);
void inner_product_backward_weights(CpuDevice& device, const Tensor& x, const Tensor& dy, Tensor& dw, Tensor& dbias);
enum class InnerProductPass { kForward, kBackwardData, kBackwardWeights };
DnnlReport report_inner_product(CpuDevice& device, InnerProductPass pass, const Shape& x, const Shape& w);

// Max pooling. y and index have the layout of x; index (u8, may be null) is the position of the maximum in its
// window, row-major over the kernel x kernel positions, padding counted; ties go to the lower position.
void max_pool_forward(CpuDevice& device, const Tensor& x, const PoolGeometry& geometry, Tensor& y, Tensor* index);
// dx of shape x_shape in the layout of `index`.
void max_pool_backward(CpuDevice& device, const Shape& x_shape, const Tensor& index, const Tensor& dy,
                       const PoolGeometry& geometry, Tensor& dx);

// convert_layout (tensor.h) with oneDNN's kernels; 4 axes, f32.
void reorder(CpuDevice& device, const Tensor& from, Layout layout, Tensor& to);

}  // namespace lockstep
