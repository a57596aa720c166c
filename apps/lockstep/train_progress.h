// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "console.h"
#include "lockstep/engine/trainer.h"

namespace lockstep::app {

// "1h02m", "3m07s", "12s".
std::string duration_text(double seconds);

// Shows the steps of a training run: one line that moves on a terminal, and a log line every 20 steps.
class TrainProgress {
 public:
  explicit TrainProgress(Console& console) : console_(console) {}
  void show(const StepReport& step);

 private:
  std::string text(const StepReport& step) const;

  Console& console_;
  double waited_ = 0;  // since the last log line
  double elapsed_ = 0;
};

}  // namespace lockstep::app
