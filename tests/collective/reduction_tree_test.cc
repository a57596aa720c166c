// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/reduction_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "lockstep/base/error.h"

namespace lockstep {
namespace {

// The sum as a text of brackets: equal texts are equal orders of addition.
std::string whole_tree(MicroBatchRange node) {
  if (node.size() == 1) return std::to_string(node.begin);
  const int middle = split_point(node);
  return "(" + whole_tree({node.begin, middle}) + "+" + whole_tree({middle, node.end}) + ")";
}

TEST(ReductionTree, LeftSubtreeIsTheLargestPowerOfTwoBelowTheCount) {
  EXPECT_EQ(whole_tree({0, 1}), "0");
  EXPECT_EQ(whole_tree({0, 3}), "((0+1)+2)");
  EXPECT_EQ(whole_tree({0, 4}), "((0+1)+(2+3))");
  EXPECT_EQ(whole_tree({0, 6}), "(((0+1)+(2+3))+(4+5))");
  EXPECT_EQ(whole_tree({0, 7}), "(((0+1)+(2+3))+((4+5)+6))");
}

// Folds a worker's range with fold_step exactly as the operator does.
std::vector<std::string> fold(int micro_batches, MicroBatchRange range) {
  std::vector<std::string> slots(static_cast<std::size_t>(fold_slots(micro_batches, range)));
  int depth = 0;
  for (int index = range.begin; index < range.end; ++index) {
    const FoldStep step = fold_step(micro_batches, range, index);
    EXPECT_EQ(step.depth_before, depth);
    if (step.merges == 0) {
      slots.at(depth) = std::to_string(index);
    } else {
      slots.at(depth - 1) = "(" + slots.at(depth - 1) + "+" + std::to_string(index) + ")";
      for (int merge = 1; merge < step.merges; ++merge) {
        const int left = depth - 1 - merge;
        slots.at(left) = "(" + slots.at(left) + "+" + slots.at(left + 1) + ")";
      }
    }
    depth += 1 - step.merges;
  }
  slots.resize(static_cast<std::size_t>(depth));
  return slots;
}

TEST(ReductionTree, EveryWorkerCountFoldsToNodesOfTheOneTree) {
  for (int micro_batches = 1; micro_batches <= 40; ++micro_batches) {
    for (int workers = 1; workers <= micro_batches; ++workers) {
      int next = 0;
      for (const MicroBatchRange& range : balanced_ranges(micro_batches, workers)) {
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.size(), micro_batches / workers);
        next = range.end;
        const auto nodes = covering_nodes(micro_batches, range);
        const auto folded = fold(micro_batches, range);
        ASSERT_EQ(folded.size(), nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(folded[i], whole_tree(nodes[i]));
        EXPECT_LE(fold_slots(micro_batches, range),
                  std::bit_width(static_cast<unsigned>(micro_batches)));  // 1 + floor(log2 B)
      }
      EXPECT_EQ(next, micro_batches);
    }
  }
}

TEST(ReductionTree, WorkerCountsOutOfRangeAreConfigErrors) {
  EXPECT_THROW(balanced_ranges(4, 0), Error);
  try {
    balanced_ranges(4, 5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kConfig);
    EXPECT_THAT(error.what(), testing::HasSubstr("5 workers have only 4 micro-batches"));
  }
}

}  // namespace
}  // namespace lockstep
