// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lockstep/base/check.h"
#include "lockstep/ops/roi_align_kernels.h"
#include "lockstep/ops/roi_taps.h"

namespace lockstep {
namespace {

// Eight channels of one pixel; loads need not be aligned.
using Lanes __attribute__((vector_size(32), aligned(4))) = float;

// out[bin][block] = sum over the bin's taps of weight * pixel, for one block of channels. Instruction sets differ in
// how many lanes they take at once only, so every clone gives the same bits.
template <int kBlock>
[[gnu::always_inline]] inline void pool_bins(const float* map, std::int64_t width, const RoiTaps& rows,
                                             const RoiTaps& columns, int bins, float* out) {
  constexpr int kVectors = kBlock / 8;
  for (int y = 0; y < bins; ++y) {
    for (int x = 0; x < bins; ++x, out += kBlock) {
      Lanes sum[kVectors] = {};
      for (std::int32_t r = rows.begin[y]; r < rows.begin[y + 1]; ++r) {
        const float* line = map + rows.pixel[r] * width * kBlock;
        for (std::int32_t c = columns.begin[x]; c < columns.begin[x + 1]; ++c) {
          const float weight = rows.weight[r] * columns.weight[c];
          const auto* pixel = reinterpret_cast<const Lanes*>(line + columns.pixel[c] * kBlock);
          for (int v = 0; v < kVectors; ++v) sum[v] += weight * pixel[v];
        }
      }
      for (int v = 0; v < kVectors; ++v) reinterpret_cast<Lanes*>(out)[v] = sum[v];
    }
  }
}

// The transpose of pool_bins: map[pixel] += weight * in[bin].
template <int kBlock>
[[gnu::always_inline]] inline void spread_bins(const float* in, std::int64_t width, const RoiTaps& rows,
                                               const RoiTaps& columns, int bins, float* map) {
  constexpr int kVectors = kBlock / 8;
  for (int y = 0; y < bins; ++y) {
    for (int x = 0; x < bins; ++x, in += kBlock) {
      const auto* gradient = reinterpret_cast<const Lanes*>(in);
      for (std::int32_t r = rows.begin[y]; r < rows.begin[y + 1]; ++r) {
        float* line = map + rows.pixel[r] * width * kBlock;
        for (std::int32_t c = columns.begin[x]; c < columns.begin[x + 1]; ++c) {
          const float weight = rows.weight[r] * columns.weight[c];
          auto* pixel = reinterpret_cast<Lanes*>(line + columns.pixel[c] * kBlock);
          for (int v = 0; v < kVectors; ++v) pixel[v] += weight * gradient[v];
        }
      }
    }
  }
}

LS_VECTOR_CLONES void pool_8(const float* map, std::int64_t width, const RoiTaps& rows, const RoiTaps& columns,
                             int bins, float* out) {
  pool_bins<8>(map, width, rows, columns, bins, out);
}
LS_VECTOR_CLONES void pool_16(const float* map, std::int64_t width, const RoiTaps& rows, const RoiTaps& columns,
                              int bins, float* out) {
  pool_bins<16>(map, width, rows, columns, bins, out);
}
LS_VECTOR_CLONES void spread_8(const float* in, std::int64_t width, const RoiTaps& rows, const RoiTaps& columns,
                               int bins, float* map) {
  spread_bins<8>(in, width, rows, columns, bins, map);
}
LS_VECTOR_CLONES void spread_16(const float* in, std::int64_t width, const RoiTaps& rows, const RoiTaps& columns,
                                int bins, float* map) {
  spread_bins<16>(in, width, rows, columns, bins, map);
}

// The same for plain maps: blocks of one channel.
void pool_1(const float* map, std::int64_t width, const RoiTaps& rows, const RoiTaps& columns, int bins, float* out) {
  for (int y = 0; y < bins; ++y) {
    for (int x = 0; x < bins; ++x) {
      float sum = 0.0f;
      for (std::int32_t r = rows.begin[y]; r < rows.begin[y + 1]; ++r) {
        const float* line = map + rows.pixel[r] * width;
        for (std::int32_t c = columns.begin[x]; c < columns.begin[x + 1]; ++c) {
          sum += rows.weight[r] * columns.weight[c] * line[columns.pixel[c]];
        }
      }
      *out++ = sum;
    }
  }
}
void spread_1(const float* in, std::int64_t width, const RoiTaps& rows, const RoiTaps& columns, int bins, float* map) {
  for (int y = 0; y < bins; ++y) {
    for (int x = 0; x < bins; ++x, ++in) {
      for (std::int32_t r = rows.begin[y]; r < rows.begin[y + 1]; ++r) {
        float* line = map + rows.pixel[r] * width;
        for (std::int32_t c = columns.begin[x]; c < columns.begin[x + 1]; ++c) {
          line[columns.pixel[c]] += rows.weight[r] * columns.weight[c] * *in;
        }
      }
    }
  }
}

using BinsFunction = void (*)(const float*, std::int64_t, const RoiTaps&, const RoiTaps&, int, float*);

// One run over all RoIs: `visit(map number, image, q, rows, columns)`.
template <typename Visit>
void for_each_roi(const KernelContext& context, int first_map, Visit visit) {
  const OpArgs& args = context.args();
  const std::vector<double>& scales = args.numbers("spatial_scales");
  const int bins = static_cast<int>(args.integer("pooled_size"));
  const int ratio = static_cast<int>(args.integer("sampling_ratio"));
  const bool aligned = args.flag("aligned");
  const int maps = context.input_count() - first_map;
  const Tensor& rois = context.input(0);
  RoiTaps rows, columns;
  for (std::int64_t q = 0; q < rois.dim(0); ++q) {
    const int map = checked_map<float>(context, q, maps, context.input(first_map).dim(0));
    const Tensor& features = context.input(first_map + map);
    const float* roi = rois.data<float>() + q * 5;
    const auto scale = static_cast<float>(scales[static_cast<std::size_t>(map)]);
    const RoiWindow window(roi + 1, scale, aligned, ratio, bins);
    const auto mean = [](int samples) { return samples > 0 ? 1.0f / static_cast<float>(samples) : 0.0f; };
    rows.build(window.start_y, window.bin_height, window.samples_y, bins, static_cast<int>(features.dim(2)),
               mean(window.samples_y));
    columns.build(window.start_x, window.bin_width, window.samples_x, bins, static_cast<int>(features.dim(3)),
                  mean(window.samples_x));
    visit(map, static_cast<std::int64_t>(roi[0]), q, rows, columns);
  }
}

// Memory of one block of channels of one image.
std::int64_t block_offset(const Tensor& map, std::int64_t image, std::int64_t block_index) {
  const std::int64_t block = channel_block(map.layout());
  const std::int64_t blocks = (map.dim(1) + block - 1) / block;
  return (image * blocks + block_index) * map.dim(2) * map.dim(3) * block;
}

}  // namespace

template <typename T>
int checked_map(const KernelContext& context, std::int64_t q, int maps, std::int64_t images) {
  const T* roi = context.input(0).data<T>() + q * 5;
  constexpr T kFarthest = 1e7;  // pixels; keeps the sample counts within int
  LS_CHECK(kNumeric, std::all_of(roi, roi + 5, [](T value) { return std::abs(value) <= kFarthest; }),
           "[RoIAlign] RoI {} is ({}, {}, {}, {}, {}): not finite or far outside any image; the network may have "
           "diverged, lower SOLVER.BASE_LR",
           q, roi[0], roi[1], roi[2], roi[3], roi[4]);
  LS_CHECK(kShape, roi[0] >= 0 && roi[0] < static_cast<T>(images), "[RoIAlign] RoI {} is for image {} of {}", q, roi[0],
           images);
  const auto first = static_cast<int>(context.args().integer("min_level"));
  const int level = context.input(1).data<std::int32_t>()[q];
  LS_CHECK(kShape, level >= first && level < first + maps, "[RoIAlign] RoI {} is for level {}; there are {}..{}", q,
           level, first, first + maps - 1);
  return level - first;
}
template int checked_map<float>(const KernelContext&, std::int64_t, int, std::int64_t);
template int checked_map<double>(const KernelContext&, std::int64_t, int, std::int64_t);

void roi_align_cpu(KernelContext& context) {
  const std::int64_t size = context.args().integer("pooled_size");
  const std::int64_t bins = size * size;
  const std::int64_t channels = context.input(2).dim(1);
  Tensor& pooled = context.output(0);
  pooled.resize(DType::kF32, {context.input(0).dim(0), channels, size, size});
  std::vector<float> out(static_cast<std::size_t>(bins) * 16);  // [bin][channel of the block]
  for_each_roi(context, 2,
               [&](int map, std::int64_t image, std::int64_t q, const RoiTaps& rows, const RoiTaps& columns) {
                 const Tensor& features = context.input(2 + map);
                 const std::int64_t block = channel_block(features.layout());
                 const BinsFunction pool = block == 16 ? pool_16 : block == 8 ? pool_8 : pool_1;
                 for (std::int64_t c = 0; c < channels; c += block) {
                   const float* source = features.data<float>() + block_offset(features, image, c / block);
                   pool(source, features.dim(3), rows, columns, static_cast<int>(size), out.data());
                   float* target = pooled.data<float>() + (q * channels + c) * bins;
                   for (std::int64_t k = 0; k < std::min(block, channels - c); ++k) {
                     for (std::int64_t bin = 0; bin < bins; ++bin) target[k * bins + bin] = out[bin * block + k];
                   }
                 }
               });
}

void RoiAlignGradientCpu::run(KernelContext& context) {
  const std::int64_t size = context.args().integer("pooled_size");
  const std::int64_t bins = size * size;
  const std::int64_t channels = context.input(3).dim(1);
  for (int i = 0; i < context.output_count(); ++i) {
    const Tensor& features = context.input(3 + i);
    context.output(i).resize(DType::kF32, features.shape(), features.layout());
    context.output(i).fill_zero();
  }
  const Tensor* dy = &context.input(2);
  if (dy->layout() != Layout::kPlain) {
    convert_layout(*dy, Layout::kPlain, plain_dy_);
    dy = &plain_dy_;
  }
  std::vector<float> in(static_cast<std::size_t>(bins) * 16);
  for_each_roi(context, 3,
               [&](int map, std::int64_t image, std::int64_t q, const RoiTaps& rows, const RoiTaps& columns) {
                 Tensor& gradient = context.output(map);
                 const std::int64_t block = channel_block(gradient.layout());
                 const BinsFunction spread = block == 16 ? spread_16 : block == 8 ? spread_8 : spread_1;
                 for (std::int64_t c = 0; c < channels; c += block) {
                   const float* source = dy->data<float>() + (q * channels + c) * bins;
                   const std::int64_t used = std::min(block, channels - c);
                   for (std::int64_t bin = 0; bin < bins; ++bin) {
                     for (std::int64_t k = 0; k < block; ++k)
                       in[bin * block + k] = k < used ? source[k * bins + bin] : 0.0f;
                   }
                   spread(in.data(), gradient.dim(3), rows, columns, static_cast<int>(size),
                          gradient.data<float>() + block_offset(gradient, image, c / block));
                 }
               });
}

}  // namespace lockstep
