// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/data/loader_stages.h"

namespace lockstep {

// What a loader has done since its start.
struct LoaderReport {
  std::vector<double> empty_wait;  // seconds each worker has waited for data
  StageClock::Totals stages;       // over all loader threads
  int threads = 1;
};

// One line that says that the workers waited for the loader between two reports, how long, and in which stage its
// threads spent that time, with the next step to take on a machine with `cores` cores. Empty when the workers waited
// less than a tenth of `seconds`, the time between the reports.
std::string bottleneck_line(const LoaderReport& before, const LoaderReport& after, double seconds, int cores);

}  // namespace lockstep
