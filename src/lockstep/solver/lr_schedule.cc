// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/lr_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"

namespace lockstep {
namespace {

double multi_step(const SolverConfig& solver, double step) {
  const auto passed = std::count_if(solver.steps.begin(), solver.steps.end(), [&](const TrainingTime& at) {
    return static_cast<double>(at.iterations()) <= step;
  });
  return std::pow(solver.gamma, static_cast<double>(passed));
}

double cosine(const SolverConfig& solver, double step) {
  const double end = solver.base_lr_end / solver.base_lr;
  const double where = step / static_cast<double>(solver.max_iter);
  return end + 0.5 * (1.0 - end) * (1.0 + std::cos(std::numbers::pi * where));
}

// The multiplier of BASE_LR without warm-up.
double policy(const SolverConfig& solver, double step) {
  return solver.lr_scheduler_name == "WarmupCosineLR" ? cosine(solver, step) : multi_step(solver, step);
}

}  // namespace

float learning_rate(const SolverConfig& solver, std::int64_t step) {
  const double warmup = static_cast<double>(std::min(solver.warmup_iters.iterations(), solver.max_iter));
  const double at = static_cast<double>(step);
  double multiplier = 0;
  if (at < warmup) {
    const double start = solver.warmup_factor * policy(solver, 0);
    const double end = policy(solver, solver.rescale_interval ? 0 : warmup);
    multiplier = solver.warmup_method == "constant" ? start : end * (at / warmup) + start * (1.0 - at / warmup);
  } else if (solver.rescale_interval) {
    // The whole policy is squeezed into what follows the warm-up.
    const double length = static_cast<double>(solver.max_iter);
    multiplier = policy(solver, warmup < length ? (at - warmup) / (length - warmup) * length : length);
  } else {
    multiplier = policy(solver, at);
  }
  return static_cast<float>(solver.base_lr * multiplier);
}

void check_schedule(const SolverConfig& solver) {
  LS_CHECK(kConfig, solver.lr_scheduler_name == "WarmupMultiStepLR" || solver.lr_scheduler_name == "WarmupCosineLR",
           "SOLVER.LR_SCHEDULER_NAME is '{}'; wanted WarmupMultiStepLR or WarmupCosineLR", solver.lr_scheduler_name);
  LS_CHECK(kConfig, solver.warmup_method == "linear" || solver.warmup_method == "constant",
           "SOLVER.WARMUP_METHOD is '{}'; wanted linear or constant", solver.warmup_method);
  LS_CHECK(kConfig, solver.base_lr > 0, "SOLVER.BASE_LR is {}; wanted a value above 0", solver.base_lr);
  const auto before = [](const TrainingTime& a, const TrainingTime& b) { return a.iterations() < b.iterations(); };
  LS_CHECK(kConfig, std::is_sorted(solver.steps.begin(), solver.steps.end(), before),
           "SOLVER.STEPS must rise from left to right");
  for (const TrainingTime& time : solver.steps) {
    const std::int64_t step = time.iterations();
    if (step >= solver.max_iter) {
      log_warning("solver", "SOLVER.STEPS holds {}, which has no effect: training ends at MAX_ITER {}", step,
                  solver.max_iter);
    }
  }
}

}  // namespace lockstep
