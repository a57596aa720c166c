// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "command_line.h"
#include "lockstep/config/config.h"
#include "lockstep/engine/trainer.h"

namespace lockstep::app {

// How a training run ended.
struct TrainingOutcome {
  TrainResult result = TrainResult::kFinished;
  int signal = 0;  // that stopped it
  std::int64_t step = 0;
  std::string digest;                    // of the parameters
  std::optional<EvalReport> evaluation;  // the last one
  bool is_first = true;                  // rank 0, or alone: the one that tells of it
  int exit_code() const { return result == TrainResult::kFinished ? 0 : 128 + signal; }
};

// Where training into config.output_dir writes its log.
std::string log_file_of(const Config& config);

// Trains into config.output_dir with progress on stderr and log.txt. SIGINT and SIGTERM save a checkpoint and stop.
TrainingOutcome run_training(const Config& config, TrainerOptions options, Console& console);

}  // namespace lockstep::app
