// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/config/config.h"

namespace lockstep {

// Calls visit(path, time) for every member of the schedule that is a point in the training or a length of it, such
// as ("SOLVER.STEPS", each step).
template <typename AnyConfig, typename Visit>
void visit_training_times(AnyConfig& config, Visit visit) {
  for (auto& step : config.solver.steps) visit("SOLVER.STEPS", step);
  visit("SOLVER.STEP_SIZE", config.solver.step_size);
  visit("SOLVER.WARMUP_ITERS", config.solver.warmup_iters);
  visit("SOLVER.CHECKPOINT_PERIOD", config.solver.checkpoint_period);
  visit("TEST.EVAL_PERIOD", config.test.eval_period);
}

// The keys of the schedule that state epochs; each once. SOLVER.MAX_EPOCHS is among them when it is above 0.
std::vector<std::string> keys_in_epochs(const Config& config);

// Both SOLVER.MAX_ITER and SOLVER.MAX_EPOCHS state the length of the training: what to do about it, else empty.
std::string training_length_problem(const Config& config);

// The schedule in iterations, for a training set of `images` images (at least 1): e epochs are
// e * images / IMS_PER_BATCH iterations, rounded half to even, and at least 1 when e is above 0. MAX_EPOCHS becomes
// MAX_ITER. Throws kConfig for more than 10^9 iterations, and where training_length_problem has something to say.
Config resolve_epochs(const Config& config, std::int64_t images);

}  // namespace lockstep
