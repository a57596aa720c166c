// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace lockstep {

// Says when a checkpoint is due by wall clock (SOLVER.CHECKPOINT_MINUTES).
class CheckpointClock {
 public:
  // `minutes` 0: never due. `seconds` is the clock, with any start.
  CheckpointClock(double minutes, std::function<double()> seconds)
      : seconds_(std::move(seconds)), period_(minutes * kSecondsPerMinute), last_(period_ > 0 ? seconds_() : 0) {}

  bool is_due() const { return period_ > 0 && seconds_() - last_ >= period_; }
  // A checkpoint was written, for whatever reason.
  void restart() {
    if (period_ > 0) last_ = seconds_();
  }

 private:
  static constexpr double kSecondsPerMinute = 60;

  std::function<double()> seconds_;
  double period_;
  double last_;
};

}  // namespace lockstep
