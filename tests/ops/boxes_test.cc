// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/boxes.h"

#include <gtest/gtest.h>

#include <limits>

#include "lockstep/base/error.h"

namespace lockstep {
namespace {

using FBox = Box<float>;

TEST(Boxes, IouOfKnownPairs) {
  EXPECT_EQ(box_iou(FBox{0, 0, 2, 2}, FBox{1, 1, 3, 3}), 1.0f / 7.0f);
  EXPECT_EQ(box_iou(FBox{0, 0, 2, 2}, FBox{0, 0, 2, 2}), 1.0f);
  EXPECT_EQ(box_iou(FBox{0, 0, 2, 2}, FBox{2, 0, 4, 2}), 0.0f);  // they share an edge only
}

TEST(Boxes, IouOfEmptyBoxesIsZero) {
  EXPECT_EQ(box_iou(FBox{1, 1, 1, 1}, FBox{1, 1, 1, 1}), 0.0f);  // a union of 0
  EXPECT_EQ(box_iou(FBox{3, 3, 1, 1}, FBox{0, 0, 4, 4}), 0.0f);  // corners swapped
}

TEST(Boxes, ClipKeepsCornersInsideTheImage) {
  EXPECT_EQ(clip_box(FBox{-3, -4, 30, 40}, 20.0f, 10.0f), (FBox{0, 0, 10, 20}));
  EXPECT_EQ(clip_box(FBox{11, 21, 12, 22}, 20.0f, 10.0f), (FBox{10, 20, 10, 20}));
}

TEST(Boxes, EncodeKnownAnswer) {
  // Twice the width around a centre one box width to the right.
  const FBox deltas = encode_box(FBox{0, 0, 4, 2}, FBox{2, 0, 10, 2}, BoxWeights<float>{10, 10, 5, 5});
  EXPECT_FLOAT_EQ(deltas.x1, 10.0f);
  EXPECT_FLOAT_EQ(deltas.y1, 0.0f);
  EXPECT_FLOAT_EQ(deltas.x2, 5.0f * std::log(2.0f));
  EXPECT_FLOAT_EQ(deltas.y2, 0.0f);
}

TEST(Boxes, DecodeInvertsEncode) {
  const Box<double> source{10, 20, 50, 40}, target{13, 11, 33, 61};
  const BoxWeights<double> weights{10, 10, 5, 5};
  double deltas[4];
  store_box(encode_box(source, target, weights), deltas);
  const Box<double> found = decode_box(source, deltas, weights);
  EXPECT_NEAR(found.x1, target.x1, 1e-12);
  EXPECT_NEAR(found.y1, target.y1, 1e-12);
  EXPECT_NEAR(found.x2, target.x2, 1e-12);
  EXPECT_NEAR(found.y2, target.y2, 1e-12);
}

TEST(Boxes, DecodeLimitsGrowth) {
  const double deltas[4] = {0, 0, 100, 100};
  const Box<double> found = decode_box(Box<double>{0, 0, 16, 16}, deltas, BoxWeights<double>{});
  EXPECT_NEAR(found.width(), 1000.0, 1e-9);
  EXPECT_NEAR(found.height(), 1000.0, 1e-9);
}

TEST(Boxes, EncodeOfBoxesWithoutAreaIsZero) {
  const BoxWeights<float> weights;
  EXPECT_EQ(encode_box(FBox{0, 0, 4, 4}, FBox{}, weights), FBox{});
  EXPECT_EQ(encode_box(FBox{1, 1, 1, 5}, FBox{0, 0, 4, 4}, weights), FBox{});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(encode_box(FBox{0, 0, nan, 4}, FBox{0, 0, 4, 4}, weights), FBox{});
}

TEST(Boxes, WeightsMustBeFourPositiveNumbers) {
  EXPECT_THROW(box_weights<float>({1, 1, 1}), Error);
  EXPECT_THROW(box_weights<float>({1, 1, -1, 1}), Error);
  EXPECT_EQ(box_weights<float>({10, 9, 5, 4}).height, 4.0f);
}

}  // namespace
}  // namespace lockstep
