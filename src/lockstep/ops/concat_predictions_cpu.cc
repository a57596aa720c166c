// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/graph/kernel.h"

namespace lockstep {
namespace {

// Calls move(offset in the level's memory, offset in the table) for every value of one image of one level. In the
// table the channels of a pixel lie together; in the level `block` channels do (1 in the plain layout).
template <typename Move>
void for_each_value(const Tensor& level, std::int64_t image, std::int64_t table_begin, const Move& move) {
  const std::int64_t channels = level.dim(1);
  const std::int64_t pixels = level.dim(2) * level.dim(3);
  const std::int64_t block = channel_block(level.layout());
  const std::int64_t blocks = (channels + block - 1) / block;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t lanes = std::min(block, channels - b * block);
    const std::int64_t from = (image * blocks + b) * pixels * block;
    const std::int64_t to = table_begin + b * block;
    for (std::int64_t p = 0; p < pixels; ++p) {
      for (std::int64_t lane = 0; lane < lanes; ++lane) move(from + p * block + lane, to + p * channels + lane);
    }
  }
}

template <typename T>
void concat_predictions(KernelContext& context) {
  const std::int64_t images = context.input(0).dim(0);
  const std::int64_t columns = context.args().integer("columns");
  std::int64_t values = 0;
  for (int i = 0; i < context.input_count(); ++i) values += context.input(i).size();
  Tensor& table = context.output(0);
  table.resize(DTypeOf<T>::value, {values / columns, columns});
  T* to = table.data<T>();
  std::int64_t begin = 0;
  for (std::int64_t n = 0; n < images; ++n) {
    for (int i = 0; i < context.input_count(); ++i) {
      const Tensor& level = context.input(i);
      const T* from = level.data<T>();
      for_each_value(level, n, begin,
                     [&](std::int64_t in_level, std::int64_t in_table) { to[in_table] = from[in_level]; });
      begin += level.size() / images;
    }
  }
}

template <typename T>
void concat_predictions_gradient(KernelContext& context) {
  const T* from = context.input(0).data<T>();
  const std::int64_t images = context.input(1).dim(0);
  for (int i = 0; i < context.output_count(); ++i) {
    const Tensor& level = context.input(i + 1);
    context.output(i).resize(DTypeOf<T>::value, level.shape(), level.layout());
    if (level.dim(1) % channel_block(level.layout()) != 0) context.output(i).fill_zero();
  }
  std::int64_t begin = 0;
  for (std::int64_t n = 0; n < images; ++n) {
    for (int i = 0; i < context.output_count(); ++i) {
      T* to = context.output(i).data<T>();
      for_each_value(context.output(i), n, begin,
                     [&](std::int64_t in_level, std::int64_t in_table) { to[in_level] = from[in_table]; });
      begin += context.output(i).size() / images;
    }
  }
}

}  // namespace

void concat_predictions_cpu(KernelContext& context) { concat_predictions<float>(context); }
void concat_predictions_reference(KernelContext& context) { concat_predictions<double>(context); }
void concat_predictions_gradient_cpu(KernelContext& context) { concat_predictions_gradient<float>(context); }
void concat_predictions_gradient_reference(KernelContext& context) { concat_predictions_gradient<double>(context); }

}  // namespace lockstep
