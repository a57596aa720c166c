// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/anchor_fit.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"
#include "lockstep/data/statistics.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

GroundTruthBox box(float x1, float y1, float x2, float y2, std::int32_t class_index = 0) {
  return {x1, y1, x2, y2, class_index, false, 1, 1};
}

Config pyramid() {
  Config config;
  config.model.rpn.in_features = {"p2", "p3"};
  config.model.anchor_generator.sizes = {{16}, {32}};
  config.model.anchor_generator.aspect_ratios = {{1.0}};
  config.input.min_size_train = {100};
  config.input.max_size_train = 1000;
  return config;
}

TEST(AnchorLevels, HaveStridesAndShapes) {
  Config config = pyramid();
  config.model.anchor_generator.aspect_ratios = {{0.25}};
  const auto levels = anchor_levels(config);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].stride, 4);
  EXPECT_EQ(levels[1].stride, 8);
  EXPECT_EQ(levels[0].shapes[0].width, 32);  // ratio = height / width
  EXPECT_EQ(levels[0].shapes[0].height, 8);
  config.model.anchor_generator.sizes = {{1}, {2}, {3}};
  EXPECT_EQ(anchor_levels(config).size(), 2u);
  config.model.rpn.in_features = {"p2", "p3", "p4", "p5"};
  EXPECT_THAT(error_of(ErrorKind::kConfig, [&] { anchor_levels(config); }), HasSubstr("SIZES has 3 lists"));
}

TEST(BestAnchorIou, KnowsTheGrid) {
  const auto levels = anchor_levels(pyramid());
  EXPECT_DOUBLE_EQ(best_anchor_iou(box(12, 12, 28, 28), levels), 1);          // around (20, 20), a cell of p2
  EXPECT_DOUBLE_EQ(best_anchor_iou(box(8, 8, 40, 40), levels), 1);            // around (24, 24), a cell of p3
  EXPECT_DOUBLE_EQ(best_anchor_iou(box(14, 12, 30, 28), levels), 14.0 / 18);  // two pixels beside a cell
  EXPECT_DOUBLE_EQ(best_anchor_iou(box(16, 16, 24, 24), levels), 0.25);       // half of the smallest anchor
}

TEST(ProposeAnchorSizes, FindsTheGroups) {
  std::vector<double> sizes;
  for (int i = 0; i < 50; ++i) sizes.insert(sizes.end(), {10.0, 40.0, 160.0});
  EXPECT_EQ(propose_anchor_sizes(sizes, 3), (std::vector<double>{10, 40, 160}));
  EXPECT_EQ(propose_anchor_sizes({50, 50, 50}, 3), (std::vector<double>{50, 60, 72}));  // apart though all are equal
  EXPECT_TRUE(propose_anchor_sizes({}, 3).empty());
}

TEST(DataStatistics, CountsAndMeasuresAfterResizing) {
  const Dataset set{"s",
                    {{1, "cat"}, {2, "dog"}},
                    {{1, "a", "a", 400, 200, {box(24, 24, 56, 56), box(0, 0, 8, 8, 1)}},
                     {2, "b", "b", 100, 200, {}},
                     {3, "c", "c", 50, 50, {{0, 0, 9, 9, 1, true, 81, 1}}}}};
  const DataStatistics found = data_statistics(set, pyramid());
  EXPECT_EQ(found.wide, 1);
  EXPECT_EQ(found.high, 1);
  EXPECT_EQ(found.square, 1);
  EXPECT_EQ(found.boxes, 2);
  EXPECT_EQ(found.classes[1].crowd, 1);
  EXPECT_EQ(found.classes[1].images, 2);
  EXPECT_EQ(found.box_sizes[4], 4);          // the two are 4 and 16 pixels after halving
  EXPECT_EQ(found.classes[0].recall_70, 1);  // 16 x 16 around (20, 20)
  EXPECT_EQ(found.classes[1].recall_50, 0);
  EXPECT_EQ(found.recall_50, 0.5);
  EXPECT_EQ(found.proposed_sizes, (std::vector<double>{4, 16}));
  EXPECT_EQ(found.proposed_recall_50, 0);  // 16 now stands on p3's grid: four pixels off both ways, IoU 144 / 368
  EXPECT_THAT(statistics_text(found, pyramid()), HasSubstr("3 images: 1 wide, 1 high, 1 square; 2 boxes in 2 classes"));
  EXPECT_THAT(statistics_json(found), HasSubstr("\"proposed_anchor_sizes\": [4, 16]"));
}

}  // namespace
}  // namespace lockstep
