// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/graph/kernel.h"
#include "lockstep/ops/channel_rows.h"

namespace lockstep {
namespace {

// Copies each pixel of an image row `scale` times. kBlock is the number of values per pixel.
template <typename T, int kBlock>
void widen(const T* from, T* to, std::int64_t width, std::int64_t scale) {
  for (std::int64_t w = 0; w < width; ++w) {
    for (std::int64_t repeat = 0; repeat < scale; ++repeat) {
      for (int i = 0; i < kBlock; ++i) to[(w * scale + repeat) * kBlock + i] = from[w * kBlock + i];
    }
  }
}

// Adds the `scale` neighbours of an image row of the larger map to one row of the smaller map.
template <typename T, int kBlock>
void add_narrowed(const T* from, T* to, std::int64_t width, std::int64_t scale) {
  for (std::int64_t w = 0; w < width; ++w) {
    for (std::int64_t repeat = 0; repeat < scale; ++repeat) {
      for (int i = 0; i < kBlock; ++i) to[w * kBlock + i] += from[(w * scale + repeat) * kBlock + i];
    }
  }
}

template <typename T, int kBlock>
void upsample(const Tensor& x, Tensor& y, std::int64_t scale) {
  const ChannelRows rows(x);
  const std::int64_t width = x.dim(3);
  const std::int64_t wide = width * scale * kBlock;
  const std::int64_t lines = rows.images * rows.rows_per_image * x.dim(2);
  for (std::int64_t line = 0; line < lines; ++line) {
    T* to = y.data<T>() + line * scale * wide;
    widen<T, kBlock>(x.data<T>() + line * width * kBlock, to, width, scale);
    for (std::int64_t repeat = 1; repeat < scale; ++repeat) std::copy_n(to, wide, to + repeat * wide);
  }
}

template <typename T, int kBlock>
void sum_down(const Tensor& dy, Tensor& dx, std::int64_t scale) {
  const ChannelRows rows(dx);
  const std::int64_t width = dx.dim(3);
  const std::int64_t wide = width * scale * kBlock;
  const std::int64_t lines = rows.images * rows.rows_per_image * dx.dim(2);
  for (std::int64_t line = 0; line < lines; ++line) {
    T* to = dx.data<T>() + line * width * kBlock;
    std::fill_n(to, width * kBlock, T{0});
    for (std::int64_t repeat = 0; repeat < scale; ++repeat) {
      add_narrowed<T, kBlock>(dy.data<T>() + (line * scale + repeat) * wide, to, width, scale);
    }
  }
}

}  // namespace

template <typename T>
void upsample_nearest_cpu(KernelContext& context) {
  const std::int64_t scale = context.args().integer("scale");
  switch (context.input(0).layout()) {
    case Layout::kPlain: return upsample<T, 1>(context.input(0), context.output(0), scale);
    case Layout::kNChw8c: return upsample<T, 8>(context.input(0), context.output(0), scale);
    case Layout::kNChw16c: return upsample<T, 16>(context.input(0), context.output(0), scale);
  }
}

template <typename T>
void upsample_nearest_gradient_cpu(KernelContext& context) {
  const std::int64_t scale = context.args().integer("scale");
  switch (context.input(0).layout()) {
    case Layout::kPlain: return sum_down<T, 1>(context.input(0), context.output(0), scale);
    case Layout::kNChw8c: return sum_down<T, 8>(context.input(0), context.output(0), scale);
    case Layout::kNChw16c: return sum_down<T, 16>(context.input(0), context.output(0), scale);
  }
}

template void upsample_nearest_cpu<float>(KernelContext&);
template void upsample_nearest_cpu<double>(KernelContext&);
template void upsample_nearest_gradient_cpu<float>(KernelContext&);
template void upsample_nearest_gradient_cpu<double>(KernelContext&);

}  // namespace lockstep
