// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "console.h"
#include "lockstep/config/config.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/step_plan.h"
#include "step_clock.h"

namespace lockstep::app {

struct StepTrial {
  int workers = 0;  // 0: as train chooses
  int threads = 1;
  int steps = 10;
  int warm_up = 3;
};

// Steps that were run on micro-batches in memory: the loader's threads must not take the cores away from what is
// measured. The parameters stay as they are, so that every step does the same work.
struct StepMeasurement {
  explicit StepMeasurement(TrainNets made) : nets(std::move(made)), clock(nets.step) {}

  TrainNets nets;
  StepClock clock;              // time of each operator
  std::vector<double> seconds;  // of each step
  double images_per_step = 0;
  double build_seconds = 0;  // to read one micro-batch, on one thread
  MemoryUse memory;
  StepPlan plan;  // for the largest micro-batch

  double step_seconds() const;  // median
  int workers() const { return static_cast<int>(nets.ranges.size()); }
  // How often operator k of the step net runs in a step: once per micro-batch of its worker, or once.
  int runs(std::size_t op) const;
  // Seconds of operator k in a step, all runs together; median.
  double op_seconds(std::size_t op) const;
};

// Runs the steps; says how far it is on `console`. kConfig for a trial that cannot be.
StepMeasurement measure_steps(Config config, const OpCatalog& catalog, const StepTrial& trial, Console& console);

}  // namespace lockstep::app
