// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/text.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Text, EditDistance) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("same", "same"), 0);
}

TEST(Text, NearestNameProposesOnlyWhatIsNear) {
  EXPECT_EQ(nearest_name("SOLVER.BASE_LRR", {"SOLVER.GAMMA", "SOLVER.BASE_LR"}), "SOLVER.BASE_LR");
  EXPECT_EQ(nearest_name("zebra", {"SOLVER.GAMMA"}), "");
}

TEST(Text, JoinWords) {
  EXPECT_EQ(join_words({}), "");
  EXPECT_EQ(join_words({"a"}), "a");
  EXPECT_EQ(join_words({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace lockstep
