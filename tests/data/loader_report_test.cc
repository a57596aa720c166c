// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/loader_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

LoaderReport report_of(std::vector<double> waits, double read, double decode, double resize, double assemble) {
  LoaderReport report;
  report.threads = 2;
  report.empty_wait = std::move(waits);
  const double seconds[] = {read, decode, resize, assemble};
  for (std::size_t i = 0; i < 4; ++i) report.stages[i].seconds = seconds[i];
  return report;
}

TEST(LoaderReport, SaysNothingOfALoaderThatKeepsUp) {
  const LoaderReport start = report_of({1, 1}, 1, 1, 1, 1);
  EXPECT_EQ(bottleneck_line(start, report_of({1.5, 1.4}, 9, 9, 9, 9), 10, 4), "");
  EXPECT_EQ(bottleneck_line(start, start, 0, 4), "");
}

TEST(LoaderReport, NamesTheLongestStageOfTheTimeBetween) {
  const LoaderReport before = report_of({1, 1}, 100, 0, 0, 0);  // reading was slow once
  EXPECT_EQ(bottleneck_line(before, report_of({4, 6}, 101, 6, 2, 1), 10, 4),
            "the loader is the bottleneck: workers waited 40 % of the last 10.0 s for data; its 2 threads spent 60 % "
            "of their work in decode; raise DATALOADER.NUM_WORKERS");
}

TEST(LoaderReport, AdvisesByTheStageWhereEveryCoreHasAThread) {
  const LoaderReport start = report_of({0}, 0, 0, 0, 0);
  const auto line = [&](double read, double decode, double resize, double assemble) {
    return bottleneck_line(start, report_of({5}, read, decode, resize, assemble), 10, 2);
  };
  EXPECT_THAT(line(9, 1, 1, 1), AllOf(HasSubstr("in read"), HasSubstr("faster disk")));
  EXPECT_THAT(line(1, 9, 1, 1), AllOf(HasSubstr("in decode"), HasSubstr("at the size of training")));
  EXPECT_THAT(line(1, 1, 9, 1), AllOf(HasSubstr("in resize"), HasSubstr("INPUT.MIN_SIZE_TRAIN")));
  EXPECT_THAT(line(1, 1, 1, 9), AllOf(HasSubstr("in assemble"), HasSubstr("INPUT.MIN_SIZE_TRAIN")));
  EXPECT_THAT(line(0, 0, 0, 0), HasSubstr("its 2 threads have not finished a picture in that time"));
}

TEST(StageClock, SumsStagesOverThreads) {
  StageClock clock;
  const auto start = StageClock::Clock::now();
  std::thread([&] { clock.add(LoaderStage::kDecode, start, start + 3s); }).join();
  clock.add(LoaderStage::kDecode, start + 1s, start + 2s);
  clock.add(LoaderStage::kQueue, start, start + 5s);
  const StageClock::Totals totals = clock.totals();
  EXPECT_EQ(totals[1].seconds, 4);
  EXPECT_EQ(totals[1].calls, 2);
  EXPECT_EQ(totals[4].seconds, 5);
  EXPECT_EQ(totals[0].calls, 0);
  EXPECT_TRUE(clock.events().empty());
  EXPECT_EQ(to_string(LoaderStage::kAssemble), "assemble");
}

TEST(StageClock, KeepsTheCallsWhenAsked) {
  StageClock clock(true);
  const auto start = StageClock::Clock::now();
  std::thread([&] { clock.add(LoaderStage::kRead, start, start + 1s); }).join();
  clock.add(LoaderStage::kDecode, start + 1s, start + 3s);
  clock.add(LoaderStage::kResize, start + 3s, start + 4s);
  const std::vector<StageClock::Event> events = clock.events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].thread, 0);
  EXPECT_EQ(events[1].thread, 1);
  EXPECT_EQ(events[2].thread, 1);
  EXPECT_NEAR(events[1].end - events[1].begin, 2, 1e-9);
  EXPECT_NEAR(events[1].begin - events[0].begin, 1, 1e-9);
}

TEST(StageTimer, WithoutAClockItDoesNothing) {
  StageClock clock;
  { const StageTimer timer(&clock, LoaderStage::kRead), idle(nullptr, LoaderStage::kRead); }
  EXPECT_EQ(clock.totals()[0].calls, 1);
}

}  // namespace
}  // namespace lockstep
