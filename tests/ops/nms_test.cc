// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/nms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "lockstep/ops/ranking.h"
#include "ops/random_boxes.h"

namespace lockstep {
namespace {

using testing::ElementsAre;
using FBox = Box<float>;

// The definition, pair by pair, without sorting, early rejection or vectors.
std::vector<std::int32_t> naive_nms(const std::vector<FBox>& boxes, double threshold, std::size_t max_keep) {
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < boxes.size() && kept.size() < max_keep; ++i) {
    bool stays = true;
    for (const std::int32_t k : kept) {
      stays = stays && !(static_cast<double>(box_iou(boxes[static_cast<std::size_t>(k)], boxes[i])) > threshold);
    }
    if (stays) kept.push_back(static_cast<std::int32_t>(i));
  }
  return kept;
}

std::vector<FBox> random_list(std::int64_t count, std::uint32_t stream, double height, double width) {
  const Tensor rows = random_boxes(count, stream, height, width);
  std::vector<FBox> boxes;
  for (std::int64_t i = 0; i < count; ++i) {
    const double* row = rows.data<double>() + 4 * i;
    // A third of a pixel more: corners that are no round binary numbers.
    boxes.push_back({static_cast<float>(row[0] + 1.0 / 3), static_cast<float>(row[1]), static_cast<float>(row[2] + 0.1),
                     static_cast<float>(row[3] + 2.0 / 3)});
  }
  return boxes;
}

TEST(Nms, AgreesWithTheDefinition) {
  std::size_t suppressed = 0;
  for (std::uint32_t stream = 0; stream < 12; ++stream) {
    const auto boxes = random_list(500, 100 + stream, 40.0 + 20.0 * stream, 60.0 + 10.0 * stream);
    for (const double threshold : {0.0, 0.1, 0.3, 0.5, 0.7, 0.95, 1.0}) {
      const auto kept = nms(boxes, threshold, 1000);
      EXPECT_EQ(kept, naive_nms(boxes, threshold, 1000)) << "stream " << stream << ", threshold " << threshold;
      suppressed += boxes.size() - kept.size();
    }
    EXPECT_EQ(nms(boxes, 0.5, 17), naive_nms(boxes, 0.5, 17));
  }
  EXPECT_GT(suppressed, 1000u);
}

TEST(Nms, ThresholdIsExclusive) {
  // IoU is 1/3 exactly as a float division gives it.
  const std::vector<FBox> boxes = {{0, 0, 2, 2}, {1, 0, 3, 2}};
  const double third = static_cast<double>(2.0f / 6.0f);
  EXPECT_THAT(nms(boxes, third, 10), ElementsAre(0, 1));
  EXPECT_THAT(nms(boxes, std::nextafter(third, 0.0), 10), ElementsAre(0));
}

TEST(Nms, BoxesWithoutAreaStay) {
  const std::vector<FBox> boxes = {{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 4, 4}, {2, 2, 1, 1}};
  EXPECT_THAT(nms(boxes, 0.5, 10), ElementsAre(0, 1, 2, 3));
}

TEST(Nms, EmptyAndLimits) {
  EXPECT_THAT(nms(std::vector<FBox>{}, 0.5, 10), ElementsAre());
  EXPECT_THAT(nms(std::vector<FBox>{{0, 0, 1, 1}}, 0.5, 0), ElementsAre());
}

TEST(GroupedNms, GroupsDoNotCompete) {
  const FBox box{0, 0, 8, 8};
  const std::vector<FBox> boxes = {box, box, box, box, box};
  EXPECT_THAT(grouped_nms(boxes, {3, 1, 3, 1, 0}, 0.5, 10), ElementsAre(0, 1, 4));
  EXPECT_THAT(grouped_nms(boxes, {3, 1, 3, 1, 0}, 0.5, 2), ElementsAre(0, 1));
}

TEST(TopK, TiesGoToTheLowerIndex) {
  const std::vector<float> scores = {1, 3, 2, 3, 2, 0};
  EXPECT_THAT(top_k(scores.data(), 6, 4), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(top_k(scores.data(), 6, 3), ElementsAre(1, 3, 2));
  EXPECT_THAT(top_k(scores.data(), 6, 99), ElementsAre(1, 3, 2, 4, 0, 5));
  EXPECT_THAT(top_k(scores.data(), 0, 3), ElementsAre());
}

TEST(TopK, NanRanksWithInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> scores = {1, infinity, std::numeric_limits<float>::quiet_NaN(), -infinity};
  EXPECT_THAT(top_k(scores.data(), 4, 4), ElementsAre(1, 2, 0, 3));
}

}  // namespace
}  // namespace lockstep
