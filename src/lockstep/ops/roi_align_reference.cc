// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lockstep/ops/roi_align_kernels.h"

namespace lockstep {
namespace {

// One bilinear sample at (y, x): visit(row, column, weight) for its pixels.
template <typename Visit>
void sample(double y, double x, std::int64_t height, std::int64_t width, Visit visit) {
  if (y < -1.0 || y > static_cast<double>(height) || x < -1.0 || x > static_cast<double>(width)) return;
  y = std::clamp(y, 0.0, static_cast<double>(height - 1));
  x = std::clamp(x, 0.0, static_cast<double>(width - 1));
  const auto row = static_cast<std::int64_t>(y), column = static_cast<std::int64_t>(x);
  const std::int64_t next_row = std::min(row + 1, height - 1), next_column = std::min(column + 1, width - 1);
  const double down = y - static_cast<double>(row), right = x - static_cast<double>(column);
  visit(row, column, (1.0 - down) * (1.0 - right));
  visit(row, next_column, (1.0 - down) * right);
  visit(next_row, column, down * (1.0 - right));
  visit(next_row, next_column, down * right);
}

// Calls visit(map number, pixel of the map's first channel, channel stride, pooled element of the first channel,
// weight) for every pixel that a bin reads.
template <typename Visit>
void for_each_tap(const KernelContext& context, int first_map, std::int64_t channels, Visit visit) {
  const OpArgs& args = context.args();
  const std::int64_t bins = args.integer("pooled_size");
  const double offset = args.flag("aligned") ? 0.5 : 0.0;
  const Tensor& rois = context.input(0);
  for (std::int64_t q = 0; q < rois.dim(0); ++q) {
    const int map = checked_map<double>(context, q, context.input_count() - first_map, context.input(first_map).dim(0));
    const Shape& shape = context.input(first_map + map).shape();
    const double scale = args.numbers("spatial_scales")[static_cast<std::size_t>(map)];
    const double* roi = rois.data<double>() + q * 5;
    const double x1 = roi[1] * scale - offset, y1 = roi[2] * scale - offset;
    double width = roi[3] * scale - offset - x1, height = roi[4] * scale - offset - y1;
    if (!args.flag("aligned")) {
      width = std::max(width, 1.0);
      height = std::max(height, 1.0);
    }
    const double bin_height = height / static_cast<double>(bins), bin_width = width / static_cast<double>(bins);
    const std::int64_t ratio = args.integer("sampling_ratio");
    const std::int64_t rows = ratio > 0 ? ratio : static_cast<std::int64_t>(std::ceil(bin_height));
    const std::int64_t columns = ratio > 0 ? ratio : static_cast<std::int64_t>(std::ceil(bin_width));
    for (std::int64_t bin = 0; bin < bins * bins; ++bin) {
      const double top = y1 + static_cast<double>(bin / bins) * bin_height;
      const double left = x1 + static_cast<double>(bin % bins) * bin_width;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          const double y = top + (static_cast<double>(i) + 0.5) * bin_height / static_cast<double>(rows);
          const double x = left + (static_cast<double>(j) + 0.5) * bin_width / static_cast<double>(columns);
          sample(y, x, shape[2], shape[3], [&](std::int64_t row, std::int64_t column, double weight) {
            const auto image = static_cast<std::int64_t>(roi[0]);
            visit(map, (image * channels * shape[2] + row) * shape[3] + column, shape[2] * shape[3],
                  q * channels * bins * bins + bin, weight / static_cast<double>(rows * columns));
          });
        }
      }
    }
  }
}

}  // namespace

void roi_align_reference(KernelContext& context) {
  const std::int64_t size = context.args().integer("pooled_size");
  const std::int64_t channels = context.input(2).dim(1);
  Tensor& pooled = context.output(0);
  pooled.resize(DType::kF64, {context.input(0).dim(0), channels, size, size});
  pooled.fill_zero();
  for_each_tap(context, 2, channels, [&](int map, std::int64_t from, std::int64_t stride, std::int64_t to, double w) {
    const double* features = context.input(2 + map).data<double>();
    for (std::int64_t c = 0; c < channels; ++c) {
      pooled.data<double>()[to + c * size * size] += w * features[from + c * stride];
    }
  });
}

void roi_align_gradient_reference(KernelContext& context) {
  const std::int64_t size = context.args().integer("pooled_size");
  const std::int64_t channels = context.input(3).dim(1);
  for (int i = 0; i < context.output_count(); ++i) {
    context.output(i).resize(DType::kF64, context.input(3 + i).shape());
    context.output(i).fill_zero();
  }
  const double* dy = context.input(2).data<double>();
  for_each_tap(context, 3, channels, [&](int map, std::int64_t to, std::int64_t stride, std::int64_t from, double w) {
    double* gradient = context.output(map).data<double>();
    for (std::int64_t c = 0; c < channels; ++c) gradient[to + c * stride] += w * dy[from + c * size * size];
  });
}

}  // namespace lockstep
