// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "lockstep/config/problems.h"
#include "lockstep/solver/lr_policy.h"
#include "lockstep/solver/lr_schedule.h"

namespace lockstep {
namespace {

void check_multi_step(const SolverConfig& solver, ConfigProblems& problems) {
  if (!solver.steps.empty() && solver.steps.front().is_zero()) {
    problems.add(
        "SOLVER.STEPS: found 0 as the first step, wanted steps after the start; only Detectron's policies begin with "
        "0");
  }
}

void check_cosine(const SolverConfig& solver, ConfigProblems& problems) {
  if (solver.base_lr_end <= solver.base_lr) return;
  problems.add(fmt::format("SOLVER.BASE_LR_END: found {}, wanted at most SOLVER.BASE_LR ({})", solver.base_lr_end,
                           solver.base_lr));
}

void check_fixed_gamma(const SolverConfig& solver, ConfigProblems& problems) {
  if (solver.num_decays < 1)
    problems.add(fmt::format("SOLVER.NUM_DECAYS: found {}, wanted at least 1", solver.num_decays));
  if (solver.gamma <= 0) problems.add(fmt::format("SOLVER.GAMMA: found {}, wanted a factor above 0", solver.gamma));
}

void check_step(const SolverConfig& solver, ConfigProblems& problems) {
  if (solver.step_size.is_zero()) {
    problems.add("SOLVER.STEP_SIZE: found 0 with the policy step, wanted the iterations between drops");
  }
}

void check_steps_from_0(const SolverConfig& solver, ConfigProblems& problems) {
  if (!solver.steps.empty() && solver.steps.front().is_zero()) return;
  problems.add(fmt::format(
      "SOLVER.STEPS: found {}, wanted 0 as the first step with the policy {}, as in [0, 60000, 80000]",
      solver.steps.empty() ? "none" : to_string(solver.steps.front()) + " first", solver.lr_scheduler_name));
}

void check_steps_with_lrs(const SolverConfig& solver, ConfigProblems& problems) {
  check_steps_from_0(solver, problems);
  if (solver.lrs.size() != solver.steps.size()) {
    problems.add(fmt::format("SOLVER.LRS: found {} rates, wanted one for each of the {} SOLVER.STEPS",
                             solver.lrs.size(), solver.steps.size()));
  }
}

void check_exp_decay(const SolverConfig& solver, ConfigProblems& problems) {
  if (solver.gamma <= 0) problems.add(fmt::format("SOLVER.GAMMA: found {}, wanted a factor above 0", solver.gamma));
}

void check_policy(const SolverConfig& solver, ConfigProblems& problems) {
  const std::string& name = solver.lr_scheduler_name;
  if (name == "WarmupMultiStepLR") check_multi_step(solver, problems);
  if (name == "WarmupCosineLR") check_cosine(solver, problems);
  if (name == "WarmupStepWithFixedGammaLR") check_fixed_gamma(solver, problems);
  if (name == "step") check_step(solver, problems);
  if (name == "steps_with_decay") check_steps_from_0(solver, problems);
  if (name == "steps_with_lrs") check_steps_with_lrs(solver, problems);
  if (name == "exp_decay") check_exp_decay(solver, problems);
}

}  // namespace

void check_schedule(const SolverConfig& solver) {
  ConfigProblems problems;
  const LrPolicy* policy = find_lr_policy(solver.lr_scheduler_name);
  if (policy == nullptr) {
    problems.add(fmt::format("SOLVER.LR_SCHEDULER_NAME: found '{}', wanted a learning-rate policy of docs/config.md",
                             solver.lr_scheduler_name));
  } else if (policy->rate != nullptr && solver.rescale_interval) {
    problems.add(
        fmt::format("SOLVER.RESCALE_INTERVAL: found true with Detectron's policy {}, wanted false; only "
                    "Detectron2's policies can follow the warm-up",
                    solver.lr_scheduler_name));
  }
  if (solver.base_lr <= 0) problems.add(fmt::format("SOLVER.BASE_LR: found {}, wanted a rate above 0", solver.base_lr));
  check_policy(solver, problems);
  problems.throw_if_any("the schedule");
}

std::vector<std::string> schedule_warnings(const SolverConfig& solver) {
  std::vector<std::string> warnings;
  const std::int64_t length = solver.max_iter;
  const std::int64_t warmup = solver.warmup_iters.iterations();
  for (const TrainingTime& step : solver.steps) {
    if (step.iterations() < length) continue;
    warnings.push_back(fmt::format("SOLVER.STEPS holds {}, which has no effect: training ends at SOLVER.MAX_ITER {}",
                                   step.iterations(), length));
  }
  if (warmup > 0 && warmup >= length) {
    warnings.push_back(
        fmt::format("SOLVER.WARMUP_ITERS {} takes the whole training of {} iterations; the learning rate "
                    "does not reach SOLVER.BASE_LR {}",
                    warmup, length, solver.base_lr));
    return warnings;
  }
  for (const TrainingTime& step : solver.steps) {
    if (step.is_zero() || step.iterations() >= warmup) continue;
    warnings.push_back(
        fmt::format("SOLVER.WARMUP_ITERS {} reaches past the step of SOLVER.STEPS at {}; the learning rate "
                    "rises and drops at once",
                    warmup, step.iterations()));
  }
  return warnings;
}

}  // namespace lockstep
