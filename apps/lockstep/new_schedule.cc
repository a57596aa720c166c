// SPDX-License-Identifier: Apache-2.0
#include "new_schedule.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <vector>

#include "bench.h"
#include "lockstep/base/check.h"
#include "lockstep/engine/trainer.h"

namespace lockstep::app {
namespace fs = std::filesystem;
namespace {

// A folder for the steps that are only timed, removed whatever happens.
class ThrownAway {
 public:
  ThrownAway() : path_(fs::temp_directory_path() / ("lockstep_new_" + std::to_string(::getpid()))) {}
  ~ThrownAway() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ThrownAway(const ThrownAway&) = delete;
  ThrownAway& operator=(const ThrownAway&) = delete;
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

}  // namespace

double parse_duration(const std::string& text) {
  double seconds = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    double number = 0;
    const auto [stop, failed] = std::from_chars(at, end, number);
    const char unit = failed == std::errc() && stop < end ? *stop : '?';
    const double factor = unit == 'h' ? 3600 : unit == 'm' ? 60 : unit == 's' ? 1 : 0;
    LS_CHECK(kConfig, factor > 0 && std::isfinite(number) && number >= 0,
             "'{}' is no duration; wanted hours, minutes and seconds, as in 30m, 2h or 1h30m", text);
    seconds += number * factor;
    at = stop + 1;
  }
  LS_CHECK(kConfig, seconds > 0, "'{}' is no duration above 0; wanted one as in 30m, 2h or 1h30m", text);
  return seconds;
}

double measure_step_seconds(Config config) {
  constexpr std::int64_t kSteps = 8, kWarmUp = 3;
  constexpr double kHarmlessRate = 1e-6;  // nothing is learned from timing
  const ThrownAway folder;
  config.output_dir = folder.path();
  config.datasets.test.clear();
  config.solver.max_iter = kSteps;
  config.solver.steps.clear();
  config.solver.warmup_iters = 0;
  config.solver.base_lr = kHarmlessRate;
  config.solver.checkpoint_period = 0;
  config.test.eval_period = 0;
  std::vector<double> seconds;
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& step) {
    if (step.step > kWarmUp) seconds.push_back(step.seconds);
  };
  Trainer(config, {}, std::move(callbacks)).run();
  return median(seconds);
}

void fit_schedule(Config& config, std::int64_t train_images, std::int64_t test_images, double seconds,
                  double step_seconds) {
  constexpr double kMostEpochs = 200;
  constexpr double kReserve = 0.95;    // for reading the data and saving
  constexpr double kDetectCost = 0.4;  // of an image in training
  constexpr double kFirstDrop = 0.73, kSecondDrop = 0.92;
  SolverConfig& solver = config.solver;
  const auto batch = static_cast<double>(solver.ims_per_batch);
  const double epoch_steps = std::max(1.0, std::ceil(static_cast<double>(train_images) / batch));
  const double evaluation = static_cast<double>(test_images) * kDetectCost * step_seconds / batch / epoch_steps;
  const double steps = std::min(kReserve * seconds / (step_seconds + evaluation), kMostEpochs * epoch_steps);
  solver.max_iter = std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
  solver.steps.clear();
  for (const double part : {kFirstDrop, kSecondDrop}) {
    const auto step = static_cast<std::int64_t>(part * static_cast<double>(solver.max_iter));
    if (step >= 1 && (solver.steps.empty() || step > solver.steps.back().iterations())) solver.steps.push_back(step);
  }
  // Unknown data from random initialisation: with the full rate after a few steps, training can diverge.
  constexpr double kSafeRate = 0.01;
  constexpr std::int64_t kWarmUp = 200;
  solver.base_lr = std::min(solver.base_lr, kSafeRate);
  solver.warmup_iters = std::min(kWarmUp, (solver.max_iter + 1) / 2);
  config.test.eval_period = test_images > 0 ? static_cast<std::int64_t>(epoch_steps) : 0;
  solver.checkpoint_period = static_cast<std::int64_t>(epoch_steps);
}

}  // namespace lockstep::app
