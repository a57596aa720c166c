// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "lockstep/engine/machine_speed.h"

namespace lockstep {

// Where the time of a step goes, in seconds of an average worker.
struct StepShares {
  double step = 0;        // the whole step
  double compute = 0;     // operators that arithmetic limits
  double memory = 0;      // operators that the memory's bandwidth limits
  double all_reduce = 0;  // the all-reduce itself
  double waiting = 0;     // for other lanes: the rest of the step
  double loader = 0;      // that the loader's threads alone need for the images of a step; beside the others
};

// Whether the memory limits an operator that took `seconds`, moves `bytes` (its inputs and outputs once) and does
// `flops`: when moving takes longer than the arithmetic at the machine's speed (the roofline of Williams, Waterman and
// Patterson, 2009). With unknown arithmetic: when moving alone explains half of the time.
bool is_memory_bound(double seconds, double bytes, const std::optional<double>& flops, const MachineSpeed& speed);

// "loader" when the loader needs longer than the step, else the largest of compute, memory, all-reduce and waiting.
std::string bound_of(const StepShares& shares);
// The line that says so, with all shares in percent of the step.
std::string bound_line(const StepShares& shares);

}  // namespace lockstep
