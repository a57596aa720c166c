// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/base/cancel_token.h"
#include "lockstep/engine/step_range.h"

namespace lockstep {

struct Config;
class OpCatalog;
class ProcessGroup;

enum class ResumeMode {
  kNever,    // a new run; the directory must not hold one
  kRequire,  // go on with the run in the directory; kConfig when there is none
  kAuto,     // go on when there is one, else start
};

struct TrainerOptions {
  // Over all processes. 0: the smaller of the micro-batches of a step and the cores of the process, or one per process
  // of a group.
  int workers = 0;
  int threads = 1;  // T, compute threads per worker
  ResumeMode resume = ResumeMode::kNever;
  bool overwrite = false;                 // replace the run in the directory
  bool allow_different_numerics = false;  // resume although binary, instruction set or T differ
  bool check_only = false;                // check all input and that the run could be written; write nothing
  std::vector<std::string> argv;          // for run.json
  // The processes that train together, or null. Rank 0 alone writes the run directory and calls back, and every rank
  // must be able to read the data, weights and checkpoints under the same names.
  std::shared_ptr<ProcessGroup> processes = nullptr;
  std::optional<StepRange> trace;  // steps whose operators go to trace_steps_*.json in the run directory
  std::function<double()> clock;   // seconds, for SOLVER.CHECKPOINT_MINUTES; empty: the steady clock
};

// One finished step. Losses are means over the images of the step.
struct StepReport {
  std::int64_t step = 0;  // finished steps, so the first report says 1
  std::int64_t max_iter = 0;
  double total_loss = 0;
  std::vector<std::pair<std::string, double>> losses;
  double learning_rate = 0;      // of this step
  double seconds = 0;            // of this step
  double images_per_second = 0;  // over the last steps
  double eta_seconds = 0;
  double loader_wait_seconds = 0;    // of this step, mean over the workers
  std::vector<double> loader_waits;  // seconds that each worker waited for data in this step
  // Seconds that the loader's threads spent in each stage during this step, for whatever step the data is; over the
  // images of some steps it is the pace of a stage.
  std::vector<std::pair<std::string, double>> loader_stages;
};

// One finished evaluation on DATASETS.TEST.
struct EvalReport {
  std::int64_t step = 0;
  std::vector<double> stats;  // the twelve numbers of COCO evaluation
  std::string table;          // for people: the twelve lines and AP per class
  double seconds = 0;
};

// All are called on the thread that runs the trainer; any may be empty.
struct TrainerCallbacks {
  std::function<void(const std::string& line)> on_notice;  // facts before the first step, one line each
  std::function<void(const StepReport&)> on_step;
  std::function<void(const EvalReport&)> on_evaluation;
  std::function<void(const std::string& path)> on_checkpoint;
};

enum class TrainResult { kFinished, kCancelled };

// Trains a detector as `config` says, into config.output_dir. Prints nothing and installs no signal handler.
class Trainer {
 public:
  // Reads the data sets, builds and checks the nets, makes the run directory, loads weights. Nothing is
  // written before all of the input has been checked, and nothing at all with `check_only`. Throws lockstep::Error.
  Trainer(const Config& config, TrainerOptions options, TrainerCallbacks callbacks = {});
  // The same with the caller's operators: for tests that replace a kernel.
  Trainer(const Config& config, TrainerOptions options, TrainerCallbacks callbacks, const OpCatalog& catalog);
  ~Trainer();

  // Runs until SOLVER.MAX_ITER or until `cancel` asks to stop; a checkpoint is saved in both cases. A cancelled run
  // ends the step whose data is there already; one that waits for data, and an evaluation, are given up and come again
  // after a resume. Not with `check_only`.
  TrainResult run(const CancelToken& cancel);
  TrainResult run() { return run(CancelToken{}); }

  std::int64_t step() const;   // finished steps
  std::string digest() const;  // SHA-256 over all model parameters

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep
