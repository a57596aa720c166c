// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lockstep/config/config.h"

namespace lockstep {

// Learning-rate policies without warm-up, one function each. They are pure and expect a schedule that check_schedule
// has let through.

// Detectron2's: the multiplier of BASE_LR at `where`, the part of the training from 0 to 1 (fvcore's ParamScheduler,
// with its rounding: positions are counted 1e-6 of the training early).
using MultiplierPolicy = double (*)(const SolverConfig& solver, double where);
double multi_step_multiplier(const SolverConfig& solver, double where);        // GAMMA^k, k STEPS passed
double cosine_multiplier(const SolverConfig& solver, double where);            // 1 to BASE_LR_END / BASE_LR
double step_fixed_gamma_multiplier(const SolverConfig& solver, double where);  // NUM_DECAYS at equal distances

// Detectron's: the learning rate at an iteration counted from 0. A step takes effect at its iteration.
using RatePolicy = double (*)(const SolverConfig& solver, std::int64_t iteration);
double step_rate(const SolverConfig& solver, std::int64_t iteration);          // BASE_LR * GAMMA^(i / STEP_SIZE)
double steps_decay_rate(const SolverConfig& solver, std::int64_t iteration);   // BASE_LR * GAMMA^k, STEPS[k] <= i
double steps_lrs_rate(const SolverConfig& solver, std::int64_t iteration);     // LRS[k]
double cosine_decay_rate(const SolverConfig& solver, std::int64_t iteration);  // half a cosine from BASE_LR to 0
double exp_decay_rate(const SolverConfig& solver, std::int64_t iteration);     // BASE_LR to BASE_LR * GAMMA

// What a value of SOLVER.LR_SCHEDULER_NAME means; one of the two is set.
struct LrPolicy {
  std::string_view name;
  MultiplierPolicy multiplier = nullptr;
  RatePolicy rate = nullptr;
};

// nullptr for a name that is none.
const LrPolicy* find_lr_policy(std::string_view name);

}  // namespace lockstep
