// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/augment.h"

#include <gtest/gtest.h>

#include <set>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

GroundTruthBox box(float x1, float y1, float x2, float y2) { return {x1, y1, x2, y2, 0, false, 0, 0}; }

void expect_box(const GroundTruthBox& a, const GroundTruthBox& b) {
  EXPECT_EQ(a.x1, b.x1);
  EXPECT_EQ(a.y1, b.y1);
  EXPECT_EQ(a.x2, b.x2);
  EXPECT_EQ(a.y2, b.y2);
}

TEST(Flip, MovesBoxesWithTheirPixels) {
  std::vector<GroundTruthBox> boxes = {box(1, 2, 4, 7)};
  flip_boxes(boxes, {10, 20}, Flip::kHorizontal);
  expect_box(boxes[0], box(6, 2, 9, 7));
  flip_boxes(boxes, {10, 20}, Flip::kVertical);
  expect_box(boxes[0], box(6, 13, 9, 18));

  Image image(10, 20);
  image.row(2)[3] = 200;  // the top-left pixel of the box
  flip_image(image, Flip::kHorizontal);
  EXPECT_EQ(image.row(2)[3 * 8], 200);  // now its top-right pixel
  flip_image(image, Flip::kVertical);
  EXPECT_EQ(image.row(17)[3 * 8], 200);
}

TEST(Flip, IsAnInvolution) {
  for (const Flip flip : {Flip::kHorizontal, Flip::kVertical}) {
    for (const ImageSize size : {ImageSize{7, 5}, ImageSize{8, 6}, ImageSize{1, 1}}) {
      Image image = noise_image(size.width, size.height, 5);
      const Image before = image;
      flip_image(image, flip);
      EXPECT_EQ(image == before, (flip == Flip::kHorizontal ? size.width : size.height) == 1);
      flip_image(image, flip);
      EXPECT_TRUE(image == before);
      std::vector<GroundTruthBox> boxes = {box(0, 0, 0.5F, 1), box(0.25F, 0.5F, 1, 0.75F)};
      flip_boxes(boxes, size, flip);
      flip_boxes(boxes, size, flip);
      expect_box(boxes[0], box(0, 0, 0.5F, 1));
      expect_box(boxes[1], box(0.25F, 0.5F, 1, 0.75F));
    }
  }
}

TEST(ScaleBoxes, ScalesEachAxisAndClips) {
  std::vector<GroundTruthBox> boxes = {box(10, 10, 100, 50)};
  scale_boxes(boxes, {100, 50}, {50, 100});
  expect_box(boxes[0], box(5, 20, 50, 100));
}

TEST(Draws, DependOnSeedAndSampleOnly) {
  AugmentOptions options;
  options.min_sizes = {640, 672, 704};
  std::set<int> sizes, flips;
  for (std::int64_t s = 0; s < 100; ++s) {
    EXPECT_EQ(draw_shortest_edge(options, 3, s), draw_shortest_edge(options, 3, s));
    sizes.insert(draw_shortest_edge(options, 3, s));
    flips.insert(draw_flip(Flip::kHorizontal, 3, s) + 2 * draw_flip(Flip::kVertical, 3, s));
  }
  EXPECT_EQ(sizes, (std::set<int>{640, 672, 704}));
  EXPECT_EQ(flips, (std::set<int>{0, 1, 2, 3}));  // the two flips are drawn independently
}

TEST(Draws, RangeReachesBothEnds) {
  AugmentOptions options;
  options.min_sizes = {10, 13};
  options.sample_range = true;
  std::set<int> sizes;
  for (std::int64_t s = 0; s < 100; ++s) sizes.insert(draw_shortest_edge(options, 3, s));
  EXPECT_EQ(sizes, (std::set<int>{10, 11, 12, 13}));
}

TEST(CheckAugmentOptions, NamesTheKey) {
  AugmentOptions options;
  options.sample_range = true;
  EXPECT_THAT(error_of(ErrorKind::kConfig, [&] { check_augment_options(options); }),
              ::testing::HasSubstr("MIN_SIZE_TRAIN_SAMPLING"));
}

}  // namespace
}  // namespace lockstep
