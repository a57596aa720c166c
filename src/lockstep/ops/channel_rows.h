// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lockstep/tensor/tensor.h"

namespace lockstep {

// A tensor [N, C, ...] of any layout seen as rows of contiguous memory that hold one channel (plain) or
// one block of channels for all pixels of one image. Within a row the element at offset i belongs to the
// row's channel i % block; so does lane i % kLanes, because every block divides kLanes. Kernels that work
// by channel keep their constants and sums per lane and are one loop for every layout.
struct ChannelRows {
  static constexpr int kLanes = 16;
  template <typename T>
  using Lanes = std::array<T, kLanes>;

  std::int64_t images;
  std::int64_t channels;
  std::int64_t pixels;
  std::int64_t block;           // 1, 8 or 16
  std::int64_t rows_per_image;  // the last block may be partly padding
  std::int64_t row_size;        // elements in memory

  explicit ChannelRows(const Tensor& tensor)
      : images(tensor.dim(0)), channels(tensor.dim(1)), pixels(1), block(channel_block(tensor.layout())) {
    for (int axis = 2; axis < tensor.rank(); ++axis) pixels *= tensor.dim(axis);
    rows_per_image = (channels + block - 1) / block;
    row_size = pixels * block;
  }

  std::int64_t offset(std::int64_t image, std::int64_t row) const { return (image * rows_per_image + row) * row_size; }
  // The channels of a row that are not padding.
  std::int64_t channels_of(std::int64_t row) const { return std::min(block, channels - row * block); }

  // Lane l holds value(channel of lane l), and 0 where that channel is padding.
  template <typename T, typename Value>
  Lanes<T> spread(std::int64_t row, Value value) const {
    Lanes<T> lanes{};
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const std::int64_t in_row = lane % block;
      if (in_row < channels_of(row)) lanes[static_cast<std::size_t>(lane)] = value(row * block + in_row);
    }
    return lanes;
  }
};

}  // namespace lockstep
