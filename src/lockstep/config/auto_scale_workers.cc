// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/auto_scale_workers.h"

#include <cmath>

#include "lockstep/base/log.h"
#include "lockstep/config/scaled_settings.h"
#include "lockstep/config/value.h"

namespace lockstep {

ConfigPtr auto_scale_workers(const ConfigPtr& config, int num_workers) {
  require_workers(num_workers);
  const std::int64_t old = config->solver.reference_world_size;
  if (old == 0 || old == num_workers) return config;
  ScaledSettings settings = settings_of(*config);
  require_divisible_batch(settings, old);
  // Exactly x * scale and x / scale: x * old / n rounds differently. Rounding is half to even, as Python's round().
  const double scale = static_cast<double>(num_workers) / static_cast<double>(old);
  const auto divided = [scale](std::int64_t x) {
    return static_cast<std::int64_t>(std::nearbyint(static_cast<double>(x) / scale));
  };
  const auto divide = [&](TrainingTime& time) { time = divided(time.iterations()); };
  settings.ims_per_batch =
      static_cast<std::int64_t>(std::nearbyint(static_cast<double>(settings.ims_per_batch) * scale));
  settings.base_lr *= scale;
  settings.max_iter = divided(settings.max_iter);
  divide(settings.warmup_iters);
  for (TrainingTime& step : settings.steps) divide(step);
  divide(settings.eval_period);
  divide(settings.checkpoint_period);
  auto scaled = std::make_shared<Config>(*config);
  apply_settings(settings, *scaled);
  scaled->solver.reference_world_size = num_workers;
  scaled->solver.reference = {};
  log_info("config", "Auto-scaling the config to batch_size={}, learning_rate={}, max_iter={}, warmup={}.",
           settings.ims_per_batch, number_text(settings.base_lr), settings.max_iter,
           settings.warmup_iters.iterations());
  return scaled;
}

}  // namespace lockstep
