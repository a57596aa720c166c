// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lockstep/solver/lr_policy.h"

namespace lockstep {
namespace {

// The index of the last of STEPS at or before the iteration; STEPS starts with 0.
std::size_t interval_of(const SolverConfig& solver, std::int64_t iteration) {
  const auto passed = std::count_if(solver.steps.begin(), solver.steps.end(),
                                    [&](const TrainingTime& step) { return step.iterations() <= iteration; });
  return static_cast<std::size_t>(passed) - 1;
}

double part_of_training(const SolverConfig& solver, std::int64_t iteration) {
  return static_cast<double>(iteration) / static_cast<double>(solver.max_iter);
}

}  // namespace

double step_rate(const SolverConfig& solver, std::int64_t iteration) {
  return solver.base_lr * std::pow(solver.gamma, static_cast<double>(iteration / solver.step_size.iterations()));
}

double steps_decay_rate(const SolverConfig& solver, std::int64_t iteration) {
  return solver.base_lr * std::pow(solver.gamma, static_cast<double>(interval_of(solver, iteration)));
}

double steps_lrs_rate(const SolverConfig& solver, std::int64_t iteration) {
  return solver.lrs[interval_of(solver, iteration)];
}

double cosine_decay_rate(const SolverConfig& solver, std::int64_t iteration) {
  return solver.base_lr * 0.5 * (std::cos(std::numbers::pi * part_of_training(solver, iteration)) + 1);
}

double exp_decay_rate(const SolverConfig& solver, std::int64_t iteration) {
  return solver.base_lr * std::exp(part_of_training(solver, iteration) * std::log(solver.gamma));
}

}  // namespace lockstep
