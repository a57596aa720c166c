// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/loader_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace lockstep {
namespace {

constexpr double kBottleneck = 0.1;  // of the time

double mean_wait(const LoaderReport& report) {
  if (report.empty_wait.empty()) return 0;
  return std::accumulate(report.empty_wait.begin(), report.empty_wait.end(), 0.0) /
         static_cast<double>(report.empty_wait.size());
}

std::string_view advice(LoaderStage stage, int threads, int cores) {
  if (threads < cores) return "raise DATALOADER.NUM_WORKERS";
  switch (stage) {
    case LoaderStage::kRead: return "move the pictures to a faster disk, or raise DATALOADER.NUM_WORKERS";
    case LoaderStage::kDecode: return "store the pictures at the size of training";
    default: return "lower INPUT.MIN_SIZE_TRAIN, or train with fewer workers";
  }
}

}  // namespace

std::string bottleneck_line(const LoaderReport& before, const LoaderReport& after, double seconds, int cores) {
  const double wait = mean_wait(after) - mean_wait(before);
  if (seconds <= 0 || wait < kBottleneck * seconds) return "";
  constexpr LoaderStage kWork[] = {LoaderStage::kRead, LoaderStage::kDecode, LoaderStage::kResize,
                                   LoaderStage::kAssemble};
  const auto spent = [&](LoaderStage stage) {
    const auto at = static_cast<std::size_t>(stage);
    return after.stages[at].seconds - before.stages[at].seconds;
  };
  double busy = 0;
  LoaderStage longest = LoaderStage::kRead;
  for (const LoaderStage stage : kWork) {
    busy += spent(stage);
    if (spent(stage) > spent(longest)) longest = stage;
  }
  const std::string where = busy > 0
                                ? fmt::format("its {} threads spent {:.0f} % of their work in {}", after.threads,
                                              100 * spent(longest) / busy, to_string(longest))
                                : fmt::format("its {} threads have not finished a picture in that time", after.threads);
  return fmt::format("the loader is the bottleneck: workers waited {:.0f} % of the last {:.1f} s for data; {}; {}",
                     100 * std::min(1.0, wait / seconds), seconds, where, advice(longest, after.threads, cores));
}

}  // namespace lockstep
