// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/auto_scale_workers.h"

namespace lockstep {

// A recipe for a number of workers, and how it came about.
struct ScaledRecipe {
  ConfigPtr reference;               // the recipe at the number of workers that it was made for
  ConfigPtr config;                  // for the workers asked for
  std::vector<std::string> remarks;  // one for every value that exact scaling kept from vanishing
};

// The recipe for `num_workers` workers, by SOLVER.SCALING: `detectron2` (auto_scale_workers, to the bit) or `exact`
// (scale_exactly, always from the reference recipe, so that n -> m -> n is the identity). An exactly scaled recipe
// holds the one that it came from under SOLVER.REFERENCE. The same object when SOLVER.REFERENCE_WORLD_SIZE is 0 or
// num_workers. Throws kConfig as these two do, and when a recipe was changed after it was scaled exactly.
ScaledRecipe scale_recipe(const ConfigPtr& config, int num_workers);

// What scaling lost, one text each: a period or warm-up that was not 0 became 0, steps fell together or onto
// MAX_ITER. Exact scaling loses nothing.
std::vector<std::string> rounding_losses(const ScaledRecipe& recipe);

// Throws one kConfig error that lists the losses and names SOLVER.SCALING exact.
void check_rounding(const ScaledRecipe& recipe);

// A warning when the learning rate grows more than the rule is known to bear, with a longer warm-up to try; else
// empty. Goyal et al. 2017 show the linear rule from 1 to 8 workers for Mask R-CNN with the warm-up kept; reports of
// diverging detectors begin at 6 times the rate, so that the warning comes above 4 times.
std::string learning_rate_warning(const ScaledRecipe& recipe);

}  // namespace lockstep
