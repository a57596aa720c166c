// SPDX-License-Identifier: Apache-2.0
#include "lockstep/simulate/collective_model.h"

#include <gtest/gtest.h>

#include "lockstep/base/error.h"

namespace lockstep {
namespace {

using enum CollectiveAlgorithm;

const Link kSlow{10e-6, 1e9}, kFast{1e-6, 10e9};

// 8 MB on 8 workers of two hosts, by hand.
TEST(CollectiveModel, KnownAnswers) {
  const Cluster cluster{8, 4, kSlow, kFast};
  EXPECT_NEAR(all_reduce_seconds(kRing, 8e6, cluster), 14 * (10e-6 + 1e-3), 1e-12);
  EXPECT_NEAR(all_reduce_seconds(kTree, 8e6, cluster), 6 * (10e-6 + 8e-3), 1e-12);
  EXPECT_NEAR(all_reduce_seconds(kHierarchical, 8e6, cluster), 6 * (1e-6 + 0.2e-3) + 2 * (10e-6 + 4e-3), 1e-12);
}

TEST(CollectiveModel, OneHostKnowsOnlyItsOwnLinkAndOneWorkerNone) {
  for (const auto algorithm : {kRing, kTree, kHierarchical}) {
    const Cluster one_host{4, 8, {1e9, 1e-9}, kFast};
    EXPECT_LT(all_reduce_seconds(algorithm, 1e6, one_host), 1) << algorithm_name(algorithm);
    EXPECT_EQ(all_reduce_seconds(algorithm, 1e6, {1, 1, kSlow, kFast}), 0) << algorithm_name(algorithm);
  }
}

// With many workers a ring needs twice the message's time and W latencies each way, a tree log2 W messages each way.
TEST(CollectiveModel, LimitsOfManyWorkers) {
  const int workers = 1 << 20;
  const Cluster no_latency{workers, 1, {0, 1e9}, kFast};
  EXPECT_NEAR(all_reduce_seconds(kRing, 1e9, no_latency), 2, 1e-5);
  EXPECT_NEAR(all_reduce_seconds(kTree, 1e9, no_latency), 40, 1e-9);
  const Cluster only_latency{workers, 1, {1e-6, 1e30}, kFast};
  EXPECT_NEAR(all_reduce_seconds(kRing, 1e9, only_latency), 2e-6 * (workers - 1), 1e-9);
  EXPECT_NEAR(all_reduce_seconds(kTree, 1e9, only_latency), 40e-6, 1e-12);
  EXPECT_NEAR(all_reduce_seconds(kTree, 1e9, {workers + 1, 1, {1e-6, 1e30}, kFast}), 42e-6, 1e-12);
}

TEST(CollectiveModel, NamesAreReadBackAndOthersRefused) {
  for (const auto algorithm : {kRing, kTree, kHierarchical}) {
    EXPECT_EQ(algorithm_named(algorithm_name(algorithm)), algorithm);
  }
  EXPECT_THROW(algorithm_named("star"), Error);
}

}  // namespace
}  // namespace lockstep
