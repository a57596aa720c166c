// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/data/loader_report.h"

namespace lockstep {

// Looks at the loader every so many steps and says when it holds the workers up; each time it has, it waits twice as
// long before it looks again, so that a slow disk does not fill the log.
class LoaderWatch {
 public:
  explicit LoaderWatch(LoaderReport start) : before_(std::move(start)) {}

  // bottleneck_line() of the steps since the last look; empty between looks and when there is nothing to say.
  std::string after_step(const LoaderReport& now, double step_seconds);

 private:
  LoaderReport before_;
  double seconds_ = 0;
  int steps_ = 0;
  int period_ = 20;
};

}  // namespace lockstep
