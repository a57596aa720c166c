// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/reduction_tree.h"

#include <algorithm>
#include <bit>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

void cover(MicroBatchRange node, MicroBatchRange range, std::vector<MicroBatchRange>& nodes) {
  if (node.end <= range.begin || node.begin >= range.end) return;
  if (node.begin >= range.begin && node.end <= range.end) {
    nodes.push_back(node);
    return;
  }
  const int middle = split_point(node);
  cover({node.begin, middle}, range, nodes);
  cover({middle, node.end}, range, nodes);
}

}  // namespace

int split_point(MicroBatchRange node) {
  LS_ASSERT(node.size() >= 2, "a tree node of {} micro-batches has no children", node.size());
  return node.begin + static_cast<int>(std::bit_floor(static_cast<unsigned>(node.size() - 1)));
}

std::vector<MicroBatchRange> balanced_ranges(int micro_batches, int workers) {
  LS_CHECK(kConfig, workers >= 1, "the number of workers must be at least 1, got {}", workers);
  LS_CHECK(kConfig, workers <= micro_batches,
           "{} workers have only {} micro-batches to share in a step; use at most {} workers, or raise "
           "SOLVER.IMS_PER_BATCH",
           workers, micro_batches, micro_batches);
  std::vector<MicroBatchRange> ranges;
  int begin = 0;
  for (int w = 0; w < workers; ++w) {
    const int size = micro_batches / workers + (w < micro_batches % workers ? 1 : 0);
    ranges.push_back({begin, begin + size});
    begin += size;
  }
  return ranges;
}

std::vector<MicroBatchRange> covering_nodes(int micro_batches, MicroBatchRange range) {
  std::vector<MicroBatchRange> nodes;
  cover({0, micro_batches}, range, nodes);
  return nodes;
}

FoldStep fold_step(int micro_batches, MicroBatchRange range, int index) {
  LS_ASSERT(index >= range.begin && index < range.end, "micro-batch {} lies outside the worker's range [{}, {})", index,
            range.begin, range.end);
  const auto before = covering_nodes(micro_batches, {range.begin, index});
  const auto after = covering_nodes(micro_batches, {range.begin, index + 1});
  const int depth = static_cast<int>(before.size());
  return {depth, depth + 1 - static_cast<int>(after.size())};
}

int fold_slots(int micro_batches, MicroBatchRange range) {
  int slots = 0;
  for (int index = range.begin; index < range.end; ++index) {
    // The gradient of `index` itself is added without a slot of its own when something ends with it.
    const FoldStep step = fold_step(micro_batches, range, index);
    slots = std::max(slots, step.depth_before + (step.merges == 0 ? 1 : 0));
  }
  return slots;
}

}  // namespace lockstep
