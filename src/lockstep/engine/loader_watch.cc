// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/loader_watch.h"

#include "lockstep/base/cpu_count.h"

namespace lockstep {

std::string LoaderWatch::after_step(const LoaderReport& now, double step_seconds) {
  seconds_ += step_seconds;
  if (++steps_ < period_) return "";
  std::string line = bottleneck_line(before_, now, seconds_, available_cpus().cores);
  if (!line.empty()) period_ *= 2;
  before_ = now;
  seconds_ = 0;
  steps_ = 0;
  return line;
}

}  // namespace lockstep
