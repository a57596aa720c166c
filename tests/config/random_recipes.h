// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "lockstep/config/auto_scale_workers.h"

namespace lockstep::testing {

struct RandomRecipe {
  ConfigPtr config;  // SOLVER.SCALING exact; steps rise
  int workers = 1;
};

// A recipe of any length, from one iteration to a million, for up to 64 workers, to be scaled to up to 1,024.
inline RandomRecipe random_recipe(std::mt19937_64& random) {
  const auto whole = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const std::int64_t longest = whole(0, 1) == 0 ? 50 : 1000000;
  auto config = std::make_shared<Config>();
  SolverConfig& solver = config->solver;
  solver.scaling = "exact";
  solver.lr_scaling = std::vector<std::string>{"linear", "sqrt", "none"}[static_cast<std::size_t>(whole(0, 2))];
  solver.reference_world_size = whole(1, 64);
  solver.ims_per_batch = solver.reference_world_size * whole(1, 8);
  solver.base_lr = std::uniform_real_distribution<double>(1e-5, 1)(random);
  solver.base_lr_end = whole(0, 1) == 0 ? 0 : solver.base_lr / 100;
  solver.max_iter = whole(1, longest);
  solver.warmup_iters = whole(0, 2) == 0 ? 0 : whole(0, solver.max_iter);
  solver.checkpoint_period = whole(0, longest);
  config->test.eval_period = whole(0, 1) == 0 ? whole(0, 5) : whole(0, longest);
  solver.steps.clear();
  std::int64_t step = whole(0, 9) == 0 ? 0 : whole(1, solver.max_iter + 2);
  for (std::int64_t count = whole(0, 5); count > 0; --count) {
    solver.steps.emplace_back(step);
    step += whole(1, std::max<std::int64_t>(1, solver.max_iter / 3));
  }
  return {config, static_cast<int>(whole(0, 1) == 0 ? whole(1, 16) : whole(1, 1024))};
}

}  // namespace lockstep::testing
