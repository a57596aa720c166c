// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/input_size.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

// Pictures of this size with a box of `side` pixels each.
Dataset pictures(int width, int height, float side) {
  Dataset set{"s", {{1, "cat"}, {2, "dog"}}, {}};
  for (int i = 0; i < 20; ++i) set.images.push_back({i, "", "", width, height, {{0, 0, side, side, 0, false, 1, 1}}});
  return set;
}

TEST(ChooseInputSize, GrowsUntilBoxesAreLargeEnough) {
  EXPECT_EQ(choose_input_size(pictures(1000, 500, 250)).min_size, 160);
  EXPECT_EQ(choose_input_size(pictures(1000, 500, 50)).min_size, 200);  // a tenth: 20 pixels
  EXPECT_EQ(choose_input_size(pictures(1000, 500, 5)).min_size, 480);
  Dataset set = pictures(1000, 500, 250);
  set.images[0].boxes.push_back({0, 0, 25, 25, 1, false, 1, 1});  // the only dog, a twentieth
  EXPECT_EQ(choose_input_size(set).min_size, 400);
}

TEST(ChooseInputSize, NeverEnlargesAndFollowsTheShape) {
  const InputSize size = choose_input_size(pictures(300, 200, 5));
  EXPECT_EQ(size.min_size, 200);
  EXPECT_EQ(size.max_size, 300);
  EXPECT_EQ(choose_input_size(pictures(100, 50, 5)).min_size, 160);  // the least there is
  EXPECT_EQ(choose_input_size(pictures(5000, 500, 250)).max_size, 320);
}

}  // namespace
}  // namespace lockstep
