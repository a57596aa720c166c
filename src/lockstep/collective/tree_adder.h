// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "lockstep/collective/reduction_tree.h"

namespace lockstep {

// Adds nodes of the reduction tree chunk by chunk in tree order.
template <typename T>
class TreeAdder {
 public:
  // Elements that are read, added and written back at a time: the chunks of eight workers stay in the first-level
  // cache. (No bits depend on it.)
  static constexpr std::int64_t kChunk = 1024;

  // `leaves`: the nodes that are there.
  void set_leaves(std::vector<MicroBatchRange> leaves) { leaves_ = std::move(leaves); }
  const std::vector<MicroBatchRange>& leaves() const { return leaves_; }

  // The sum of the subtree `node` over `count` <= kChunk elements from `first` on: within a leaf, or in a spare chunk
  // that holds until the next call. values(i) is where the elements of leaf i begin.
  template <typename Values>
  const T* add(MicroBatchRange node, const Values& values, std::int64_t first, std::int64_t count) {
    return add(node, values, first, count, 0);
  }

 private:
  template <typename Values>
  const T* add(MicroBatchRange node, const Values& values, std::int64_t first, std::int64_t count, std::size_t level) {
    const auto found = std::find(leaves_.begin(), leaves_.end(), node);
    if (found != leaves_.end()) return values(static_cast<int>(found - leaves_.begin())) + first;
    const int middle = split_point(node);
    if (spare_.size() <= level) spare_.resize(level + 1);
    const T* left = add({node.begin, middle}, values, first, count, level);
    const T* right = add({middle, node.end}, values, first, count, level + 1);
    T* to = spare_[level].data();
    for (std::int64_t i = 0; i < count; ++i) to[i] = left[i] + right[i];
    return to;
  }

  std::vector<MicroBatchRange> leaves_;
  std::deque<std::array<T, kChunk>> spare_;  // a deque: growing keeps the chunks of lower levels where they are
};

}  // namespace lockstep
