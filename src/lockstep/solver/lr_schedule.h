// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/config/config.h"

namespace lockstep {

// The learning rate of step `step` (0 to MAX_ITER - 1): a pure function of the recipe, the policy that
// SOLVER.LR_SCHEDULER_NAME names (lr_policy.h) with its ancestor's warm-up over WARMUP_ITERS (Goyal et al. 2017).
// Detectron2's policies rise linearly from WARMUP_FACTOR times their first value to the value at the end of the
// warm-up, or, under RESCALE_INTERVAL, to their first value, and the whole policy follows in the rest of the training.
// Detectron's are multiplied by a factor that rises from WARMUP_FACTOR to 1. WARMUP_METHOD `constant` stays at the
// start value.
float learning_rate(const SolverConfig& solver, std::int64_t step);

// Detectron's momentum correction (Goyal et al. 2017, section 3.3): with the rate inside the velocity
// (UPDATE_RULE detectron), the factor for every momentum when the rate jumps from `previous` to `next`; 1 when it
// changes by less than SCALE_MOMENTUM_THRESHOLD, from nothing (1e-7 or less), or without SCALE_MOMENTUM.
float momentum_correction(const SolverConfig& solver, float previous, float next);

// Throws one kConfig error that lists everything for which a schedule in iterations cannot be followed: a policy that
// lacks its STEPS, LRS, STEP_SIZE, NUM_DECAYS or GAMMA, or has too many; a final rate above the first.
void check_schedule(const SolverConfig& solver);

// What can be followed and is hardly meant: steps at or past MAX_ITER, a warm-up that takes the whole training or
// reaches past the first step. One text each.
std::vector<std::string> schedule_warnings(const SolverConfig& solver);

}  // namespace lockstep
