// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/engine/machine_speed.h"
#include "lockstep/engine/step_bound.h"
#include "step_measurement.h"

namespace lockstep::app {

// One operator of the model in a step: all its runs on all workers, as the mean over the workers.
struct OpTime {
  std::string name, type;  // without the worker's scope
  Stage stage = Stage::kForward;
  double seconds = 0;
  std::optional<double> flops;  // nothing when they depend on the data
  double bytes = 0;             // of its inputs and outputs, each once a run
};

// The operators of a step, the longest first.
std::vector<OpTime> op_times(const StepMeasurement& measured);

// Where the time of the steps goes: medians over them, of the mean over the workers. `loader_threads` read the images
// of a run.
StepShares shares_of(const StepMeasurement& measured, const MachineSpeed& speed, int loader_threads);

// Those of one type and stage together; and one by one with their share of the step, and the speed that they reach
// beside the machine's.
std::string type_table(const std::vector<OpTime>& ops);
std::string op_table(const std::vector<OpTime>& ops, double step_seconds, const MachineSpeed& speed);

}  // namespace lockstep::app
