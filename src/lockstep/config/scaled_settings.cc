// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scaled_settings.h"

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/config/resolve_epochs.h"

namespace lockstep {

ScaledSettings settings_of(const Config& config) {
  const auto keys = keys_in_epochs(config);
  LS_CHECK(kConfig, keys.empty(),
           "found epochs in {}, wanted iterations to scale; the number of training images turns the one into the other",
           join_words(keys));
  const SolverConfig& solver = config.solver;
  return {.ims_per_batch = solver.ims_per_batch,
          .base_lr = solver.base_lr,
          .base_lr_end = solver.base_lr_end,
          .lrs = solver.lrs,
          .max_iter = solver.max_iter,
          .steps = solver.steps,
          .step_size = solver.step_size,
          .warmup_iters = solver.warmup_iters,
          .checkpoint_period = solver.checkpoint_period,
          .eval_period = config.test.eval_period};
}

void apply_settings(const ScaledSettings& settings, Config& config) {
  SolverConfig& solver = config.solver;
  solver.ims_per_batch = settings.ims_per_batch;
  solver.base_lr = settings.base_lr;
  solver.base_lr_end = settings.base_lr_end;
  solver.lrs = settings.lrs;
  solver.max_iter = settings.max_iter;
  solver.steps = settings.steps;
  solver.step_size = settings.step_size;
  solver.warmup_iters = settings.warmup_iters;
  solver.checkpoint_period = settings.checkpoint_period;
  config.test.eval_period = settings.eval_period;
  config.set_keys.insert("SOLVER.MAX_ITER");
}

void require_workers(int num_workers) {
  LS_CHECK(kConfig, num_workers >= 1, "found {} workers, wanted at least 1", num_workers);
}

void require_divisible_batch(const ScaledSettings& settings, std::int64_t reference_world_size) {
  LS_CHECK(kConfig, settings.ims_per_batch % reference_world_size == 0,
           "Invalid REFERENCE_WORLD_SIZE in config! SOLVER.REFERENCE_WORLD_SIZE: found {}, wanted a divisor of "
           "SOLVER.IMS_PER_BATCH ({})",
           reference_world_size, settings.ims_per_batch);
}

}  // namespace lockstep
