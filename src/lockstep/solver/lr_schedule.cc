// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/lr_schedule.h"

#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/solver/lr_policy.h"

namespace lockstep {
namespace {

// As fvcore's CompositeParamScheduler.
constexpr double kWhereEpsilon = 1e-6;

double detectron2_rate(const SolverConfig& solver, MultiplierPolicy policy, std::int64_t step) {
  const auto length = static_cast<double>(solver.max_iter);
  const double where = static_cast<double>(step) / length;
  const double warmup = std::min(static_cast<double>(solver.warmup_iters.iterations()) / length, 1.0);
  double multiplier = 0;
  if (where + kWhereEpsilon <= warmup) {
    const double start = solver.warmup_factor * policy(solver, 0);
    const double end = policy(solver, solver.rescale_interval ? 0 : warmup);
    const double risen = where / warmup;
    multiplier = solver.warmup_method == "constant" ? start : end * risen + start * (1 - risen);
  } else {
    // The whole policy is squeezed into what follows the warm-up.
    multiplier = policy(solver, solver.rescale_interval ? (where - warmup) / (1 - warmup) : where);
  }
  return solver.base_lr * multiplier;
}

double detectron_rate(const SolverConfig& solver, RatePolicy policy, std::int64_t step) {
  const double rate = policy(solver, step);
  const std::int64_t warmup = solver.warmup_iters.iterations();
  if (step >= warmup) return rate;
  const double risen = static_cast<double>(step) / static_cast<double>(warmup);
  const double factor = solver.warmup_factor;
  return rate * (solver.warmup_method == "constant" ? factor : factor * (1 - risen) + risen);
}

}  // namespace

float learning_rate(const SolverConfig& solver, std::int64_t step) {
  const LrPolicy* policy = find_lr_policy(solver.lr_scheduler_name);
  LS_ASSERT(policy != nullptr, "found the learning-rate policy '{}'", solver.lr_scheduler_name);
  return static_cast<float>(policy->multiplier != nullptr ? detectron2_rate(solver, policy->multiplier, step)
                                                          : detectron_rate(solver, policy->rate, step));
}

float momentum_correction(const SolverConfig& solver, float previous, float next) {
  constexpr float kNothing = 1e-7F;
  constexpr float kLeast = 1e-10F;  // keeps the ratio finite
  if (!solver.scale_momentum || solver.update_rule != "detectron" || previous <= kNothing) return 1;
  const float ratio = std::max(next / std::max(previous, kLeast), previous / std::max(next, kLeast));
  return static_cast<double>(ratio) > solver.scale_momentum_threshold ? next / previous : 1;
}

}  // namespace lockstep
