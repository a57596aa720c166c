// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/ops/ground_truth.h"
#include "lockstep/ops/sampling.h"
#include "ops/random_boxes.h"

namespace lockstep {
namespace {

using testing::Each;
using testing::ElementsAre;

struct Result {
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> assigned;
};

Result match(const Matcher& matcher, const std::vector<float>& candidates, const std::vector<Box<float>>& truth) {
  const std::size_t count = candidates.size() / 4;
  Result result{std::vector<std::int32_t>(count, 9), std::vector<std::int32_t>(count, 9)};
  matcher.match(candidates.data(), static_cast<std::int64_t>(count), truth, result.labels.data(),
                result.assigned.data());
  return result;
}

TEST(Matcher, IntervalsAreClosedBelow) {
  // IoU with (0,0,10,10): 0.5, then a bit less, then 0.25, then none.
  const std::vector<float> candidates = {0, 0, 10, 5, 0, 0, 10, 4.9f, 0, 0, 5, 5, 20, 20, 30, 30};
  const Result found = match(Matcher({0.25, 0.5}, {0, -1, 1}, false), candidates, {{0, 0, 10, 10}});
  EXPECT_THAT(found.labels, ElementsAre(1, -1, -1, 0));
  EXPECT_THAT(found.assigned, Each(0));
}

TEST(Matcher, TiesGoToTheLowerTruth) {
  const Result found =
      match(Matcher({0.5}, {0, 1}, false), {0, 0, 4, 4}, {{20, 20, 24, 24}, {0, 0, 4, 4}, {0, 0, 4, 4}});
  EXPECT_THAT(found.assigned, ElementsAre(1));
  EXPECT_THAT(found.labels, ElementsAre(1));
}

TEST(Matcher, LowQualityTakesEveryBestCandidateAndKeepsItsOwnTruth) {
  // Candidates 0 and 1 tie as the best of truth 0; candidate 2 is the best of truth 1, but prefers truth 2.
  const std::vector<Box<float>> truth = {{0, 0, 8, 8}, {100, 100, 140, 140}, {100, 100, 110, 112}};
  const std::vector<float> candidates = {0, 0, 8, 2, 0, 6, 8, 8, 100, 100, 110, 110, 50, 50, 60, 60};
  EXPECT_THAT(match(Matcher({0.3, 0.9}, {0, -1, 1}, false), candidates, truth).labels, ElementsAre(0, 0, -1, 0));
  const Result found = match(Matcher({0.3, 0.9}, {0, -1, 1}, true), candidates, truth);
  EXPECT_THAT(found.labels, ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(found.assigned, ElementsAre(0, 0, 2, 0));
}

TEST(Matcher, ATruthThatOverlapsNothingMakesObjectsOfAll) {
  const std::vector<float> candidates = {0, 0, 8, 8, 20, 20, 30, 30};
  EXPECT_THAT(match(Matcher({0.5}, {0, 1}, true), candidates, {{90, 90, 95, 95}}).labels, ElementsAre(1, 1));
}

TEST(Matcher, WithoutTruthAllIsBackground) {
  const Result found = match(Matcher({0.3, 0.7}, {0, -1, 1}, true), {0, 0, 8, 8, 20, 20, 30, 30}, {});
  EXPECT_THAT(found.labels, ElementsAre(0, 0));
  EXPECT_THAT(found.assigned, ElementsAre(0, 0));
}

// Crosses several tiles, with a last one that is not full; wanted values come from the whole matrix.
TEST(Matcher, AgreesWithTheWholeMatrix) {
  const Tensor rows = convert_dtype(random_boxes(3000, 200, 300, 400), DType::kF32);
  const Tensor truth_rows = convert_dtype(random_boxes(40, 201, 300, 400), DType::kF32);
  std::vector<Box<float>> truth;
  for (std::int64_t g = 0; g < 40; ++g) truth.push_back(load_box(truth_rows.data<float>() + 4 * g));
  const std::vector<float> candidates(rows.data<float>(), rows.data<float>() + rows.size());
  Result wanted{std::vector<std::int32_t>(3000, 0), std::vector<std::int32_t>(3000, 0)};
  std::vector<float> best(3000, -1.0f), truth_best(40, 0.0f);
  for (std::size_t g = 0; g < 40; ++g) {
    for (std::size_t j = 0; j < 3000; ++j) {
      const float iou = box_iou(truth[g], load_box(candidates.data() + 4 * j));
      if (iou > best[j]) wanted.assigned[j] = static_cast<std::int32_t>(g);
      best[j] = std::max(best[j], iou);
      truth_best[g] = std::max(truth_best[g], iou);
    }
  }
  for (std::size_t j = 0; j < 3000; ++j) {
    wanted.labels[j] = best[j] >= 0.7f ? 1 : best[j] >= 0.3f ? -1 : 0;
    for (std::size_t g = 0; g < 40; ++g) {
      if (box_iou(truth[g], load_box(candidates.data() + 4 * j)) == truth_best[g]) wanted.labels[j] = 1;
    }
  }
  const Result found = match(Matcher({0.3, 0.7}, {0, -1, 1}, true), candidates, truth);
  EXPECT_EQ(found.labels, wanted.labels);
  EXPECT_EQ(found.assigned, wanted.assigned);
}

TEST(TruthRows, LeaveCrowdOut) {
  const auto rows = truth_rows(int_tensor({5}, {0, 1, 0, 0, 1}), int_tensor({3}, {2, 0, 3}));
  EXPECT_THAT(rows, ElementsAre(ElementsAre(0), ElementsAre(), ElementsAre(2, 3)));
}

std::vector<std::int32_t> mixed_labels() {
  std::vector<std::int32_t> labels(200, 0);
  for (std::size_t i = 0; i < labels.size(); i += 3) labels[i] = i % 2 == 0 ? 1 : -1;
  return labels;
}

TEST(SampleLabels, FillsUpWithBackground) {
  const auto labels = mixed_labels();
  PhiloxStream stream(3, 5, 7);
  const LabelSample few = sample_labels(labels.data(), 200, 0, 20, 0.25, stream);
  EXPECT_EQ(few.objects.size(), 5u);
  EXPECT_EQ(few.background.size(), 15u);
  for (const std::int32_t row : few.objects) EXPECT_EQ(labels[static_cast<std::size_t>(row)], 1);
  for (const std::int32_t row : few.background) EXPECT_EQ(labels[static_cast<std::size_t>(row)], 0);
  EXPECT_TRUE(std::is_sorted(few.objects.begin(), few.objects.end()));
  const LabelSample all = sample_labels(labels.data(), 200, 0, 1000, 0.5, stream);
  EXPECT_EQ(all.objects.size(), 34u);
  EXPECT_EQ(all.background.size(), 133u);
}

TEST(SampleLabels, TheDrawIsAFunctionOfItsKey) {
  const auto labels = mixed_labels();
  const auto draw = [&](std::uint64_t seed, std::uint64_t sample, std::uint32_t key) {
    PhiloxStream stream(seed, sample, key);
    return sample_labels(labels.data(), 200, 0, 20, 0.25, stream).background;
  };
  EXPECT_EQ(draw(3, 5, 7), draw(3, 5, 7));
  EXPECT_NE(draw(3, 5, 7), draw(3, 5, 8));
  EXPECT_NE(draw(3, 5, 7), draw(3, 6, 7));
  EXPECT_NE(draw(3, 5, 7), draw(4, 5, 7));
  // The documented order: objects are drawn first, from their rows in ascending order.
  PhiloxStream stream(3, 5, 7);
  std::vector<std::int32_t> wanted;
  for (const std::uint32_t i : stream.choose(34, 5)) wanted.push_back(static_cast<std::int32_t>(6 * i));
  std::sort(wanted.begin(), wanted.end());
  PhiloxStream again(3, 5, 7);
  EXPECT_EQ(sample_labels(labels.data(), 200, 0, 20, 0.25, again).objects, wanted);
}

}  // namespace
}  // namespace lockstep
