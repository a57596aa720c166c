// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/config/exact_ratio.h"

namespace lockstep {

// What exact scaling makes of a reference recipe.
struct ExactScaling {
  ScaledSettings settings;
  std::vector<std::string> remarks;  // one for every value that is not the plain rounded one
};

// The factor of the learning rate for `growth` times the workers: growth (LR_SCALING linear; Goyal et al. 2017), its
// square root (sqrt; Krizhevsky 2014) or 1 (none).
double learning_rate_factor(const std::string& lr_scaling, const ExactRatio& growth);

// The recipe `reference`, made for one number of workers, for `growth` times as many (SOLVER.SCALING: exact).
// IMS_PER_BATCH is multiplied by growth; BASE_LR, BASE_LR_END and LRS by the learning-rate factor; MAX_ITER,
// WARMUP_ITERS, STEPS, STEP_SIZE, CHECKPOINT_PERIOD and EVAL_PERIOD are divided by growth. Each result is the exact
// value rounded once, half to even, except that
//  - what was not 0 stays at least 1;
//  - STEPS stay strictly increasing and below MAX_ITER; steps at or past the reference's MAX_ITER, which have no
//    effect there, are left out.
// So the images seen differ from the reference's by less than one batch. Throws kConfig when the reference's STEPS do
// not rise, or when there are more steps than iterations for them.
ExactScaling scale_exactly(const ScaledSettings& reference, const ExactRatio& growth, const std::string& lr_scaling);

}  // namespace lockstep
