// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "lockstep/tensor/shape.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// Blocks of memory that nobody uses, and which of them answers a request: the smallest that is large enough. When none
// is, the largest is dropped, so that the caller's new block takes its place: sizes that change from step to step
// (images of many sizes) make blocks grow, not their number. T is the block itself; the memory plan (memory_plan.h)
// follows the same rule with sizes alone.
template <typename T>
class FreeBlocks {
 public:
  // A block of at least `bytes`, with its size; nothing when the caller has to make one.
  std::optional<std::pair<std::size_t, T>> take(std::size_t bytes) {
    auto found = blocks_.lower_bound(bytes);
    if (found == blocks_.end()) {
      if (!blocks_.empty()) blocks_.erase(std::prev(blocks_.end()));
      return std::nullopt;
    }
    std::pair<std::size_t, T> block(found->first, std::move(found->second));
    blocks_.erase(found);
    return block;
  }
  void give(std::size_t bytes, T block) { blocks_.emplace(bytes, std::move(block)); }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [size, block] : blocks_) sum += size;
    return sum;
  }

 private:
  std::multimap<std::size_t, T> blocks_;
};

// The memory that the short-lived tensors of one device take turns in. Thread-safe.
class Arena {
 public:
  // Smaller tensors keep memory of their own: they are not worth a turn.
  static constexpr std::size_t kSmallest = 4096;

  Tensor take(std::size_t bytes);  // room for `bytes`; type, shape and contents are unspecified
  void give(Tensor tensor);        // the tensor's memory is free again
  std::size_t free_bytes() const;  // between two runs: all that the arena has
  // For tests: fills what take() gives out, so that memory that is read before it is written shows.
  void poison(unsigned char pattern);

 private:
  mutable std::mutex mutex_;
  FreeBlocks<Tensor> free_;
  std::optional<unsigned char> poison_;
};

// Room that an output of this type and shape may need in any layout: channels padded to the widest block. All sizes
// must be known.
std::size_t arena_bytes(DType dtype, const Shape& shape);

}  // namespace lockstep
