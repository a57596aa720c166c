// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scaling.h"

#include <cmath>

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"

namespace lockstep {
namespace {

// Rounds half to even, as Python's round(): std::nearbyint under the default rounding mode.
std::int64_t rounded(double value) { return static_cast<std::int64_t>(std::nearbyint(value)); }

}  // namespace

Config auto_scale_workers(const Config& config, int num_workers) {
  LS_CHECK(kConfig, num_workers >= 1, "found {} workers, wanted at least 1", num_workers);
  Config scaled = config;
  SolverConfig& solver = scaled.solver;
  const std::int64_t old = solver.reference_world_size;
  if (old == 0 || old == num_workers) return scaled;
  LS_CHECK(kConfig, solver.ims_per_batch % old == 0,
           "Invalid REFERENCE_WORLD_SIZE in config! SOLVER.REFERENCE_WORLD_SIZE: found {}, wanted a divisor of "
           "SOLVER.IMS_PER_BATCH ({})",
           old, solver.ims_per_batch);
  // Exactly x * scale and x / scale: x * old / n rounds differently.
  const double scale = static_cast<double>(num_workers) / static_cast<double>(old);
  const auto shrink = [scale](std::int64_t& x) { x = rounded(static_cast<double>(x) / scale); };
  solver.ims_per_batch = rounded(static_cast<double>(solver.ims_per_batch) * scale);
  solver.base_lr *= scale;
  shrink(solver.max_iter);
  const auto shrink_time = [&](TrainingTime& time) {
    std::int64_t iterations = time.iterations();
    shrink(iterations);
    time = iterations;
  };
  shrink_time(solver.warmup_iters);
  for (TrainingTime& step : solver.steps) shrink_time(step);
  shrink_time(scaled.test.eval_period);
  shrink_time(solver.checkpoint_period);
  solver.reference_world_size = num_workers;
  log_info("config", "Auto-scaling the config to batch_size={}, learning_rate={}, max_iter={}, warmup={}.",
           solver.ims_per_batch, solver.base_lr, solver.max_iter, solver.warmup_iters.iterations());
  return scaled;
}

}  // namespace lockstep
