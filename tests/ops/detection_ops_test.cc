// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/golden_file.h"
#include "ops/random_boxes.h"
#include "ops/run_op.h"

namespace lockstep {
namespace {

using testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor zeros(const Shape& shape) {
  return real_tensor(shape, std::vector<double>(static_cast<std::size_t>(element_count(shape)), 0.0));
}

TEST(ConcatPredictionsOp, RowsAreImageLevelYXAnchor) {
  // Channel a * 2 + k; the value says level, image, anchor, column, y, x.
  const auto level = [](double number, std::int64_t anchors, std::int64_t height, std::int64_t width) {
    std::vector<double> values;
    for (int n = 0; n < 2; ++n) {
      for (int c = 0; c < 2 * anchors; ++c) {
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            values.push_back(100000 * number + 10000 * n + 1000 * (c / 2) + 100 * (c % 2) + 10 * y + x);
          }
        }
      }
    }
    return real_tensor({2, 2 * anchors, height, width}, values);
  };
  const auto table = run_op("ConcatPredictions", {arg("columns", 2)}, tensors(level(1, 2, 1, 2), level(2, 1, 2, 1)), 1);
  EXPECT_THAT(
      values_of<float>(table[0]),
      ElementsAre(100000, 100100, 101000, 101100, 100001, 100101, 101001, 101101, 200000, 200100, 200010,
                  200110,  // image 0
                  110000, 110100, 111000, 111100, 110001, 110101, 111001, 111101, 210000, 210100, 210010, 210110));
}

TEST(AnchorsOp, KnownAnswer) {
  const auto anchors = run_op(
      "Anchors",
      {arg("sizes", std::vector<double>{8}), arg("aspect_ratios", std::vector<double>{1, 4}), arg("stride", 16.0)},
      tensors(zeros({1, 1, 1, 2})), 1);
  EXPECT_THAT(values_of<float>(anchors[0]), ElementsAre(-4, -4, 4, 4, -2, -8, 2, 8, 12, -4, 20, 4, 14, -8, 18, 8));
}

TEST(GenerateProposalsOp, DropsOrdersAndSuppressesPerLevel) {
  // Level 0: a bad delta, a bad logit, a box outside the image, two that overlap. Level 1: the better box again.
  const auto level_0 = real_tensor({5, 4}, {0, 0, 8, 8, 0, 0, 8, 8, 50, 50, 60, 60, 0, 0, 8, 8, 0, 0, 8, 9});
  const auto level_1 = real_tensor({1, 4}, {0, 0, 8, 9});
  Tensor deltas = zeros({6, 4});
  deltas.data<double>()[0] = kNan;
  const auto outputs = run_op("GenerateProposals", {arg("pre_nms_topk", 10), arg("post_nms_topk", 10)},
                              tensors(real_tensor({6, 1}, {5, kNan, 4, 1, 2, 3}), std::move(deltas),
                                      real_tensor({1, 3}, {20, 30, 1}), level_0.clone(), level_1.clone()),
                              2);
  EXPECT_THAT(values_of<float>(outputs[0]), ElementsAre(0, 0, 0, 8, 9, 0, 0, 0, 8, 9));
  EXPECT_THAT(values_of<float>(outputs[1]), ElementsAre(3, 2));
}

TEST(GenerateProposalsOp, TopKComesBeforeNmsAndTiesGoToTheLowerAnchor) {
  const auto run = [](int pre, int post) {
    return run_op(
        "GenerateProposals", {arg("pre_nms_topk", pre), arg("post_nms_topk", post)},
        tensors(real_tensor({4, 1}, {1, 2, 1, 1}), zeros({4, 4}), real_tensor({1, 3}, {20, 100, 1}),
                real_tensor({3, 4}, {0, 0, 8, 8, 20, 0, 28, 8, 40, 0, 48, 8}), real_tensor({1, 4}, {60, 0, 68, 8})),
        2);
  };
  EXPECT_THAT(values_of<float>(run(2, 9)[0]),
              ElementsAre(0, 20, 0, 28, 8, 0, 0, 0, 8, 8, 0, 60, 0, 68, 8));  // the third anchor is cut
  EXPECT_THAT(values_of<float>(run(9, 3)[0]), ElementsAre(0, 20, 0, 28, 8, 0, 0, 0, 8, 8, 0, 40, 0, 48, 8));
}

std::vector<Tensor> sample_some(std::int64_t batch_size, int append_gt, const std::vector<std::int32_t>& crowd) {
  return run_op("SampleRois",
                {arg("batch_size", batch_size), arg("positive_fraction", 0.5), arg("num_classes", 3),
                 arg("append_gt", append_gt), arg("key", "rois")},
                tensors(real_tensor({3, 5}, {0, 0, 0, 8, 8, 0, 30, 30, 38, 38, 1, 0, 0, 8, 8}),
                        real_tensor({2, 4}, {0, 0, 8, 9, 28, 30, 38, 38}), int_tensor({2}, {2, 0}),
                        int_tensor({2}, crowd), int_tensor({2}, {2, 0}), sample_ids({5, 6})),
                3);
}

TEST(SampleRoisOp, AppendsGroundTruthAndPutsObjectsFirst) {
  const auto outputs = sample_some(20, 1, {0, 0});
  EXPECT_THAT(values_of<std::int32_t>(outputs[1]), ElementsAre(2, 0, 2, 0, 3));
  EXPECT_THAT(values_of<float>(outputs[0]),
              ElementsAre(0, 0, 0, 8, 8, 0, 30, 30, 38, 38, 0, 0, 0, 8, 9, 0, 28, 30, 38, 38, 1, 0, 0, 8, 8));
  EXPECT_THAT(values_of<float>(outputs[2]),
              ElementsAre(0, 0, 8, 9, 28, 30, 38, 38, 0, 0, 8, 9, 28, 30, 38, 38, 0, 0, 0, 0));
}

TEST(SampleRoisOp, CrowdIsNeitherTruthNorAppended) {
  const auto outputs = sample_some(20, 1, {1, 0});
  EXPECT_THAT(values_of<std::int32_t>(outputs[1]), ElementsAre(0, 0, 3, 3));
  EXPECT_THAT(values_of<std::int32_t>(sample_some(20, 0, {1, 1})[1]), ElementsAre(3, 3, 3));
}

TEST(SampleRoisOp, LimitsObjects) {
  EXPECT_EQ(values_of<std::int32_t>(sample_some(2, 1, {0, 0})[1]).size(), 2u);  // one object of image 0, one background
}

TEST(RpnMatchOp, CrowdIsNoTruthAndEmptyImagesAreBackground) {
  const auto outputs = run_op("RpnMatch", {},
                              tensors(real_tensor({2, 4}, {0, 0, 8, 8, 30, 30, 38, 38}),
                                      real_tensor({3, 4}, {0, 0, 8, 8, 30, 30, 38, 38, 0, 0, 8, 8}),
                                      int_tensor({3}, {0, 1, 1}), int_tensor({3}, {2, 0, 1}), zeros({3, 3})),
                              2);
  EXPECT_THAT(values_of<std::int32_t>(outputs[0]), ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_THAT(values_of<float>(outputs[1]),
              ElementsAre(0, 0, 8, 8, 0, 0, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(RpnMatchOp, BoundaryIgnoresAnchorsOutside) {
  const auto outputs =
      run_op("RpnMatch", {arg("boundary_thresh", 0.0)},
             tensors(real_tensor({3, 4}, {0, 0, 8, 8, -1, 0, 7, 8, 0, 0, 8, 20}), real_tensor({1, 4}, {0, 0, 8, 8}),
                     int_tensor({1}, {0}), int_tensor({1}, {1}), real_tensor({1, 3}, {20, 30, 1})),
             2);
  EXPECT_THAT(values_of<std::int32_t>(outputs[0]), ElementsAre(1, -1, -1));
}

TEST(BoxEncodeOp, ZeroTruthGivesZeros) {
  const auto deltas = run_op("BoxEncode", {}, tensors(real_tensor({1, 5}, {0, 1, 1, 9, 9}), zeros({2, 4})), 1);
  EXPECT_THAT(values_of<float>(deltas[0]), testing::Each(0.0f));
}

TEST(AssignLevelsOp, KnownAnswers) {
  const auto levels = run_op("AssignLevels", {},
                             tensors(real_tensor({6, 5}, {0, 0, 0, 224, 224, 0, 0, 0, 223,  223,  0, 0, 0, 448, 448,  //
                                                          0, 0, 0, 1,   1,   0, 0, 0, 4000, 4000, 0, 5, 5, 5,   5})),
                             1);
  EXPECT_THAT(values_of<std::int32_t>(levels[0]), ElementsAre(4, 3, 5, 2, 5, 2));
}

TEST(DetectBoxesOp, ScoresClassesAndOrder) {
  // Roi 0: classes 0 and 1 above the threshold. Roi 1 overlaps roi 0, better for class 0. Roi 2 has a NaN.
  const auto outputs =
      run_op("DetectBoxes", {arg("score_thresh", 0.3), arg("detections_per_image", 2)},
             tensors(real_tensor({4, 3}, {0.4, 0.5, 0.1, 0.6, 0.3, 0.1, 0.9, kNan, 0, 0.1, 0.8, 0.1}), zeros({4, 4}),
                     real_tensor({4, 5}, {0, 0,  0,  8,  8, 0, 0, 0, 8, 9, 0, 20, 0, 28, 8,  //
                                          1, 15, 15, 40, 40}),
                     real_tensor({2, 3}, {20, 30, 1, 20, 30, 1})),
             4);
  EXPECT_THAT(values_of<float>(outputs[0]), ElementsAre(0, 0, 8, 9, 0, 0, 8, 8, 15, 15, 30, 20));
  EXPECT_THAT(values_of<float>(outputs[1]), ElementsAre(0.6f, 0.5f, 0.8f));
  EXPECT_THAT(values_of<std::int32_t>(outputs[2]), ElementsAre(0, 1, 1));
  EXPECT_THAT(values_of<std::int32_t>(outputs[3]), ElementsAre(0, 0, 1));
}

}  // namespace
}  // namespace lockstep
