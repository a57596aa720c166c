// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <vector>

namespace lockstep {

// The one order in which the gradients of a step are added (the lockstep law, docs/numerics.md). The B
// micro-batches of a step are the leaves of a binary tree whose left subtree holds the largest power of two
// below the count. A worker adds what lies wholly in its own range; whoever adds the rest follows the same tree,
// so the sum has the same bits for every number of workers.

// The micro-batches begin..end-1.
struct MicroBatchRange {
  int begin = 0;
  int end = 0;
  int size() const { return end - begin; }
  auto operator<=>(const MicroBatchRange&) const = default;
};

// Where the node [begin, end) is cut into its two children; it holds at least two micro-batches.
int split_point(MicroBatchRange node);

// Contiguous ranges for `workers` workers, sizes differing by at most one, the larger ones first.
// 1 <= workers <= micro_batches, else a config error.
std::vector<MicroBatchRange> balanced_ranges(int micro_batches, int workers);

// The largest nodes of the tree over 0..micro_batches-1 that lie wholly in `range`, from left to right.
std::vector<MicroBatchRange> covering_nodes(int micro_batches, MicroBatchRange range);

// A worker's stack of finished nodes when it has added the micro-batches range.begin..index-1:
// its depth, and how many nodes end when micro-batch `index` is added. Folding micro-batch `index` pushes its
// gradient and then adds the top two entries `merges` times.
struct FoldStep {
  int depth_before = 0;
  int merges = 0;
};
FoldStep fold_step(int micro_batches, MicroBatchRange range, int index);

// The most entries that the stack holds at any time.
int fold_slots(int micro_batches, MicroBatchRange range);

}  // namespace lockstep
