// SPDX-License-Identifier: Apache-2.0
#include "training.h"

#include <csignal>
#include <filesystem>

#include "lockstep/base/log.h"
#include "lockstep/base/stop_on_signal.h"
#include "lockstep/engine/processes.h"
#include "train_progress.h"

namespace lockstep::app {
namespace {

// An average precision; there is none without ground truth.
std::string precision_text(double value) { return value < 0 ? "n/a" : fmt::format("{:.4f}", value); }

}  // namespace

std::string log_file_of(const Config& config) {
  return (std::filesystem::path(config.output_dir) / "log.txt").string();
}

TrainingOutcome run_training(const Config& config, TrainerOptions options, Console& console) {
  TrainingOutcome outcome;
  TrainProgress progress(console);
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& step) { progress.show(step); };
  callbacks.on_evaluation = [&](const EvalReport& evaluation) {
    log_info("eval", "after step {}: AP {}, AP50 {} on the test data, in {}", evaluation.step,
             precision_text(evaluation.stats[0]), precision_text(evaluation.stats[1]),
             duration_text(evaluation.seconds));
    log_debug("eval", "{}", evaluation.table);
    outcome.evaluation = evaluation;
  };
  callbacks.on_checkpoint = [](const std::string& path) { log_info("train", "saved {}", path); };

  CancelToken cancel;
  const StopOnSignal stop(cancel);
  const bool is_first = !options.processes || options.processes->rank() == 0;
  if (!is_first) console.keep_quiet();
  const bool goes_on = options.resume != ResumeMode::kNever;
  Trainer trainer(config, std::move(options), std::move(callbacks));
  if (is_first) console.open_log(log_file_of(config), goes_on);
  outcome.result = trainer.run(cancel);
  outcome.step = trainer.step();
  outcome.digest = trainer.digest();
  outcome.is_first = is_first;
  if (outcome.result == TrainResult::kCancelled) {
    outcome.signal = StopOnSignal::received();
    log_info("train", "stopped by {} after step {}; go on with: lockstep train --resume={}",
             outcome.signal == SIGINT ? "SIGINT" : "SIGTERM", outcome.step, config.output_dir);
  }
  return outcome;
}

}  // namespace lockstep::app
