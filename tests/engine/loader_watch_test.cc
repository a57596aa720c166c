// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/loader_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

// A loader after so many steps of one second, half of which its one worker waited.
LoaderReport starving(int steps) {
  LoaderReport report;
  report.empty_wait = {0.5 * steps};
  report.stages[static_cast<std::size_t>(LoaderStage::kDecode)].seconds = steps;
  return report;
}

TEST(LoaderWatch, SpeaksEveryTwentyStepsAndThenMoreRarely) {
  LoaderWatch watch(starving(0));
  std::vector<int> spoke_after;
  for (int step = 1; step <= 150; ++step) {
    const std::string line = watch.after_step(starving(step), 1.0);
    if (line.empty()) continue;
    EXPECT_THAT(line, testing::HasSubstr("workers waited 50 % of the last "));
    spoke_after.push_back(step);
  }
  EXPECT_EQ(spoke_after, (std::vector<int>{20, 60, 140}));
}

TEST(LoaderWatch, LooksAgainAfterQuietSteps) {
  LoaderWatch watch(starving(0));
  for (int step = 1; step <= 40; ++step) EXPECT_EQ(watch.after_step(starving(0), 1.0), "");
  for (int step = 41; step < 60; ++step) EXPECT_EQ(watch.after_step(starving(step - 40), 1.0), "");
  EXPECT_NE(watch.after_step(starving(20), 1.0), "");
}

}  // namespace
}  // namespace lockstep
