// SPDX-License-Identifier: Apache-2.0
#include "train_progress.h"

#include <fmt/format.h>

#include <cmath>

#include "lockstep/base/log.h"

namespace lockstep::app {

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole >= 3600) return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}s", whole);
}

std::string TrainProgress::text(const StepReport& step) const {
  std::string line =
      fmt::format("step {}/{}  loss {:.4f}  lr {:.5g}  {:.2f} images/s  ETA {}", step.step, step.max_iter,
                  step.total_loss, step.learning_rate, step.images_per_second, duration_text(step.eta_seconds));
  const double waiting = elapsed_ > 0 ? waited_ / elapsed_ : 0;
  if (waiting > 0.05) line += fmt::format("  waiting for the loader {:.0f} %", 100 * waiting);
  return line;
}

void TrainProgress::show(const StepReport& step) {
  constexpr std::int64_t kLogPeriod = 20;
  waited_ += step.loader_wait_seconds;
  elapsed_ += step.seconds;
  console_.status(text(step));
  if (step.step % kLogPeriod != 0 && step.step != step.max_iter && step.step != 1) return;
  std::string losses;
  for (const auto& [name, value] : step.losses) losses += fmt::format("  {} {:.4f}", name, value);
  log_info("train", "{}{}", text(step), losses);
  waited_ = 0;
  elapsed_ = 0;
}

}  // namespace lockstep::app
