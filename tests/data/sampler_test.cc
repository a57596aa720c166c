// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/sampler.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

TEST(Sampler, EveryEpochHoldsEveryImageOnce) {
  const Sampler sampler(13, 3);
  std::vector<std::vector<std::int64_t>> orders;
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    std::set<std::int64_t> seen;
    orders.emplace_back();
    for (std::int64_t s = 13 * epoch; s < 13 * (epoch + 1); ++s) {
      EXPECT_EQ(sampler.epoch(s), epoch);
      orders.back().push_back(sampler.image_index(s));
      seen.insert(orders.back().back());
    }
    EXPECT_EQ(seen.size(), 13u);
    EXPECT_EQ(*seen.rbegin(), 12);
  }
  EXPECT_NE(orders[0], orders[1]);
}

TEST(Sampler, AnyEpochCanBeAskedForFirst) {
  const Sampler forward(50, 3), direct(50, 3);
  std::vector<std::int64_t> order;
  for (std::int64_t s = 0; s < 500; ++s) order.push_back(forward.image_index(s));
  for (std::int64_t s = 499; s >= 0; --s) ASSERT_EQ(direct.image_index(s), order[static_cast<std::size_t>(s)]);
}

TEST(Sampler, ReplacementsVaryAndRepeat) {
  const Sampler sampler(1000, 3);
  EXPECT_EQ(sampler.replacement(5, 2), sampler.replacement(5, 2));
  EXPECT_NE(sampler.replacement(5, 1), sampler.replacement(5, 2));
  EXPECT_NE(sampler.replacement(5, 1), sampler.replacement(6, 1));
}

TEST(Sampler, RefusesAnEmptyDataSet) {
  EXPECT_THAT(error_of(ErrorKind::kData, [] { Sampler(0, 3); }), ::testing::HasSubstr("no images"));
}

}  // namespace
}  // namespace lockstep
