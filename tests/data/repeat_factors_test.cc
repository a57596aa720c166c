// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/repeat_factors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "lockstep/data/sampler.h"

namespace lockstep {
namespace {

ImageRecord image_with(std::vector<std::int32_t> classes) {
  ImageRecord image{0, "", "", 10, 10, {}};
  for (const std::int32_t c : classes) image.boxes.push_back({0, 0, 5, 5, c, false, 25, 0});
  return image;
}

// Class 0 in all of 4 images with boxes of 5, class 1 in one (twice), class 2 in two.
Dataset small_set() {
  return {"set",
          {{1, "a"}, {2, "b"}, {3, "c"}},
          {image_with({0}), image_with({0, 1, 1}), image_with({0, 2}), image_with({2, 0}), image_with({})}};
}

TEST(RepeatFactors, FollowTheFormula) {
  const std::vector<double> rooted = repeat_factors(small_set(), {0.8, true});
  EXPECT_EQ(rooted, (std::vector<double>{1, std::sqrt(0.8 / 0.2), std::sqrt(0.8 / 0.4), std::sqrt(0.8 / 0.4), 1}));
  const std::vector<double> plain = repeat_factors(small_set(), {0.5, false});
  EXPECT_EQ(plain, (std::vector<double>{1, 0.5 / 0.2, 0.5 / 0.4, 0.5 / 0.4, 1}));
  EXPECT_EQ(repeat_factors(small_set(), {0, true}), std::vector<double>(5, 1.0));
}

std::map<std::int64_t, std::vector<std::int64_t>> epochs_of(const Sampler& sampler, std::int64_t samples) {
  std::map<std::int64_t, std::vector<std::int64_t>> epochs;
  for (std::int64_t s = 0; s < samples; ++s) epochs[sampler.epoch(s)].push_back(sampler.image_index(s));
  return epochs;
}

TEST(RepeatingSampler, UsesEveryImageFloorOrCeilTimesInAnEpochAndItsFactorOnAverage) {
  const std::vector<double> factors = {1, 2.5, 1.25, 3, 1, 1.1, 4.75};
  const double total = std::accumulate(factors.begin(), factors.end(), 0.0);
  constexpr int kEpochs = 4000;
  const Sampler sampler(7, 3, factors);
  auto epochs = epochs_of(sampler, static_cast<std::int64_t>(total * kEpochs));
  epochs.erase(std::prev(epochs.end()));  // cut short
  std::vector<double> uses(factors.size(), 0);
  for (const auto& [epoch, order] : epochs) {
    std::vector<double> here(factors.size(), 0);
    for (const std::int64_t image : order) ++here[static_cast<std::size_t>(image)];
    for (std::size_t i = 0; i < factors.size(); ++i) {
      EXPECT_GE(here[i], std::floor(factors[i])) << "epoch " << epoch;
      EXPECT_LE(here[i], std::ceil(factors[i])) << "epoch " << epoch;
      uses[i] += here[i];
    }
    EXPECT_NEAR(static_cast<double>(order.size()), total, 1);
  }
  for (std::size_t i = 0; i < factors.size(); ++i) {
    // Each epoch adds a variance of at most 1/4: four standard deviations of the mean.
    EXPECT_NEAR(uses[i] / static_cast<double>(epochs.size()), factors[i], 4 * 0.5 / std::sqrt(kEpochs));
  }
}

TEST(RepeatingSampler, ShufflesTheRepeatsApart) {
  const Sampler sampler(50, 3, std::vector<double>(50, 2.0));
  const std::vector<std::int64_t> order = epochs_of(sampler, 100)[0];
  ASSERT_EQ(order.size(), 100u);
  int together = 0;
  for (std::size_t i = 1; i < order.size(); ++i) together += order[i] == order[i - 1];
  EXPECT_LT(together, 10);
}

TEST(RepeatingSampler, StartsAnywhereWithTheSameOrder) {
  const std::vector<double> factors = {1, 1.5, 2.25};
  const Sampler whole(3, 7, factors);
  for (std::int64_t s = 0; s < 200; ++s) {
    EXPECT_EQ(Sampler(3, 7, factors).image_index(s), whole.image_index(s));
    EXPECT_GE(whole.epoch(s + 1), whole.epoch(s));
  }
  bool differs = false;
  for (std::int64_t s = 0; s < 200; ++s) differs |= Sampler(3, 8, factors).image_index(s) != whole.image_index(s);
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace lockstep
