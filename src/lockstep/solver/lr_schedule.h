// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "lockstep/config/config.h"

namespace lockstep {

// The learning rate of step `step` (counted from 0): a pure function of the recipe, after Detectron2's
// WarmupMultiStepLR (BASE_LR * GAMMA^k, k = number of STEPS at or below the step) and WarmupCosineLR (half a
// cosine from BASE_LR to BASE_LR_END over MAX_ITER). During the first WARMUP_ITERS steps it rises linearly from
// WARMUP_FACTOR times the first value, or stays there when WARMUP_METHOD is constant (Goyal et al. 2017).
float learning_rate(const SolverConfig& solver, std::int64_t step);

// Refuses a schedule that cannot be followed (kConfig): an unknown LR_SCHEDULER_NAME or WARMUP_METHOD, steps that
// do not rise. Logs a warning for every step at or past MAX_ITER, which has no effect.
void check_schedule(const SolverConfig& solver);

}  // namespace lockstep
