// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/resize.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

constexpr int kPrecision = 32 - 8 - 2;  // fraction bits: 8 for the pixel and 2 to spare, as in Pillow
constexpr std::int32_t kHalf = 1 << (kPrecision - 1);

// For each output pixel: the first input pixel and `taps` fixed-point weights (unused ones are 0).
struct Filter {
  int taps = 0;
  std::vector<int> first;
  std::vector<int> count;
  std::vector<std::int32_t> weights;
};

Filter make_filter(int in, int out) {
  const double scale = static_cast<double>(in) / out;
  const double support = std::max(scale, 1.0);  // the triangle's half width in input pixels
  Filter filter;
  filter.taps = static_cast<int>(std::ceil(support)) * 2 + 1;
  filter.first.resize(static_cast<std::size_t>(out));
  filter.count.resize(static_cast<std::size_t>(out));
  filter.weights.resize(static_cast<std::size_t>(out) * static_cast<std::size_t>(filter.taps));
  std::vector<double> weights(static_cast<std::size_t>(filter.taps));
  for (int x = 0; x < out; ++x) {
    const double center = (x + 0.5) * scale;
    const int begin = std::max(static_cast<int>(center - support + 0.5), 0);
    const int end = std::min(static_cast<int>(center + support + 0.5), in);
    double total = 0;
    for (int i = begin; i < end; ++i) {
      const double distance = std::fabs((i - center + 0.5) / support);
      weights[static_cast<std::size_t>(i - begin)] = distance < 1 ? 1 - distance : 0;
      total += weights[static_cast<std::size_t>(i - begin)];
    }
    const std::size_t at = static_cast<std::size_t>(x);
    filter.first[at] = begin;
    filter.count[at] = end - begin;
    for (int i = 0; i < end - begin; ++i) {
      filter.weights[at * static_cast<std::size_t>(filter.taps) + static_cast<std::size_t>(i)] =
          static_cast<std::int32_t>(0.5 + weights[static_cast<std::size_t>(i)] / total * (1 << kPrecision));
    }
  }
  return filter;
}

using Int4 = std::int32_t __attribute__((vector_size(16)));
using Byte4 = std::uint8_t __attribute__((vector_size(4)));

// One row: three channels and one byte of the next pixel ride in a vector of four, so `from` must have one
// readable byte behind its last pixel.
LS_VECTOR_CLONES void resize_row(const std::uint8_t* from, const Filter& filter, int out, std::uint8_t* to) {
  for (int x = 0; x < out; ++x) {
    const std::uint8_t* pixel = from + 3 * static_cast<std::ptrdiff_t>(filter.first[static_cast<std::size_t>(x)]);
    const std::int32_t* weights = filter.weights.data() + static_cast<std::ptrdiff_t>(x) * filter.taps;
    Int4 sum = {kHalf, kHalf, kHalf, kHalf};
    for (int i = 0; i < filter.count[static_cast<std::size_t>(x)]; ++i, pixel += 3) {
      Byte4 bytes;
      std::memcpy(&bytes, pixel, 4);
      sum += __builtin_convertvector(bytes, Int4) * weights[i];
    }
    // Weights are positive and sum to 1 but for rounding; only the top can be passed, by 1.
    for (int c = 0; c < 3; ++c) to[3 * x + c] = static_cast<std::uint8_t>(std::min(sum[c] >> kPrecision, 255));
  }
}

// One output row from `count` input rows that lie `stride` bytes apart.
LS_VECTOR_CLONES void blend_rows(const std::uint8_t* from, std::ptrdiff_t stride, const std::int32_t* weights,
                                 int count, int bytes, std::uint8_t* to) {
  constexpr int kChunk = 64;
  std::int32_t sum[kChunk];
  for (int begin = 0; begin < bytes; begin += kChunk) {
    const int size = std::min(kChunk, bytes - begin);
    std::fill(sum, sum + kChunk, kHalf);
    for (int i = 0; i < count; ++i) {
      const std::uint8_t* row = from + i * stride + begin;
      const std::int32_t weight = weights[i];
      if (size == kChunk) {
        for (int j = 0; j < kChunk; ++j) sum[j] += weight * row[j];
      } else {
        for (int j = 0; j < size; ++j) sum[j] += weight * row[j];
      }
    }
    for (int j = 0; j < size; ++j) to[begin + j] = static_cast<std::uint8_t>(std::min(sum[j] >> kPrecision, 255));
  }
}

Image resize_width(const Image& image, int width) {
  const Filter filter = make_filter(image.width, width);
  Image out(width, image.height);
  for (int y = 0; y + 1 < image.height; ++y) resize_row(image.row(y), filter, width, out.row(y));
  const std::uint8_t* last = image.row(image.height - 1);
  std::vector<std::uint8_t> padded(last, last + 3 * image.width);
  padded.push_back(0);
  resize_row(padded.data(), filter, width, out.row(image.height - 1));
  return out;
}

Image resize_height(const Image& image, int height) {
  const Filter filter = make_filter(image.height, height);
  Image out(image.width, height);
  const int bytes = image.width * 3;
  for (int y = 0; y < height; ++y) {
    const auto at = static_cast<std::size_t>(y);
    blend_rows(image.row(filter.first[at]), bytes, filter.weights.data() + static_cast<std::ptrdiff_t>(y) * filter.taps,
               filter.count[at], bytes, out.row(y));
  }
  return out;
}

}  // namespace

Image resize_image(const Image& image, ImageSize to) {
  LS_ASSERT(image.width >= 1 && image.height >= 1 && to.width >= 1 && to.height >= 1,
            "cannot resize {} x {} to {} x {}", image.width, image.height, to.width, to.height);
  if (to.width == image.width) return to.height == image.height ? image : resize_height(image, to.height);
  Image wide = resize_width(image, to.width);
  return to.height == image.height ? wide : resize_height(wide, to.height);
}

ImageSize shortest_edge_size(ImageSize size, int shortest_edge, int max_size) {
  if (shortest_edge == 0) return size;
  const double h = size.height, w = size.width;
  double scale = shortest_edge / std::min(h, w);
  double new_h = h < w ? shortest_edge : scale * h;
  double new_w = h < w ? scale * w : shortest_edge;
  if (std::max(new_h, new_w) > max_size) {
    scale = max_size / std::max(new_h, new_w);
    new_h *= scale;
    new_w *= scale;
  }
  return {std::max(static_cast<int>(new_w + 0.5), 1), std::max(static_cast<int>(new_h + 0.5), 1)};
}

}  // namespace lockstep
