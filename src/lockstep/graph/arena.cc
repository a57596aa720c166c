// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/arena.h"

#include <cstring>

namespace lockstep {

Tensor Arena::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto block = free_.take(bytes);
  Tensor tensor =
      block ? std::move(block->second) : Tensor(DType::kU8, {static_cast<std::int64_t>(bytes)}, Layout::kPlain);
  if (poison_) {
    tensor.resize(DType::kU8, {static_cast<std::int64_t>(tensor.capacity_bytes())});
    std::memset(tensor.raw(), *poison_, tensor.capacity_bytes());
  }
  return tensor;
}

void Arena::give(Tensor tensor) {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = tensor.capacity_bytes();
  free_.give(bytes, std::move(tensor));
}

std::size_t Arena::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return free_.bytes();
}

void Arena::poison(unsigned char pattern) {
  const std::lock_guard lock(mutex_);
  poison_ = pattern;
}

std::size_t arena_bytes(DType dtype, const Shape& shape) {
  Shape padded = shape;
  if (shape.size() == 4) {
    const std::int64_t block = channel_block(Layout::kNChw16c);
    padded[1] = (shape[1] + block - 1) / block * block;
  }
  return static_cast<std::size_t>(element_count(padded)) * size_of(dtype);
}

}  // namespace lockstep
