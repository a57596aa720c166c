// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lockstep/solver/lr_policy.h"

namespace lockstep {
namespace {

// fvcore adds it before it cuts a position to a whole number, so that 59,999.9999 is iteration 60,000.
constexpr double kWhereEpsilon = 1e-6;

}  // namespace

double multi_step_multiplier(const SolverConfig& solver, double where) {
  const double iteration = std::floor((where + kWhereEpsilon) * static_cast<double>(solver.max_iter));
  const auto passed = std::count_if(solver.steps.begin(), solver.steps.end(), [&](const TrainingTime& step) {
    return step.iterations() <= solver.max_iter && static_cast<double>(step.iterations()) <= iteration;
  });
  return std::pow(solver.gamma, static_cast<double>(passed));
}

double cosine_multiplier(const SolverConfig& solver, double where) {
  const double end = solver.base_lr_end / solver.base_lr;
  return end + 0.5 * (1.0 - end) * (1.0 + std::cos(std::numbers::pi * where));
}

double step_fixed_gamma_multiplier(const SolverConfig& solver, double where) {
  const auto passed = static_cast<int>((where + kWhereEpsilon) * (solver.num_decays + 1));
  double multiplier = 1;  // not a power: the ancestor multiplies one by one
  for (int i = 0; i < std::min(passed, solver.num_decays); ++i) multiplier *= solver.gamma;
  return multiplier;
}

}  // namespace lockstep
