// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/step_bound.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(StepBound, TheRooflineDecidesBetweenComputeAndMemory) {
  const MachineSpeed speed{50e9, 10e9};  // 5 operations per byte at the ridge
  EXPECT_FALSE(is_memory_bound(1, 1e9, 5.1e9, speed));
  EXPECT_TRUE(is_memory_bound(1, 1e9, 4.9e9, speed));
  EXPECT_TRUE(is_memory_bound(0.19, 1e9, {}, speed));  // moving takes 0.1 s
  EXPECT_FALSE(is_memory_bound(0.21, 1e9, {}, speed));
}

TEST(StepBound, NamesTheLargestShareAndTheLoaderFirst) {
  StepShares shares{1, 0.4, 0.3, 0.2, 0.1, 0.9};
  EXPECT_EQ(bound_of(shares), "compute");
  EXPECT_EQ(bound_line(shares),
            "bound by compute: compute 40 %, memory 30 %, all-reduce 20 %, waiting 10 % of the step; the loader needs "
            "90 %");
  shares.memory = 0.5;
  EXPECT_EQ(bound_of(shares), "memory");
  shares.all_reduce = 0.6;
  EXPECT_EQ(bound_of(shares), "all-reduce");
  shares.waiting = 0.7;
  EXPECT_EQ(bound_of(shares), "waiting");
  shares.loader = 1.1;
  EXPECT_EQ(bound_of(shares), "loader");
}

}  // namespace
}  // namespace lockstep
