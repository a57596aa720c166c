// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/config/scaling.h"

namespace lockstep::app {

// "1 worker", "8 workers".
std::string workers_text(std::int64_t workers);

// What a scaled recipe does, as columns of text: one recipe with the exact values and rules; of several, one column
// each. `training_images` gives the epochs where it is known.
std::string scale_table(const std::vector<ScaledRecipe>& recipes, std::optional<std::int64_t> training_images);

// The same for machines: {"reference": workers, "mode": ..., "training_images": n or null, "recipes": [{"workers": n,
// "keys": [{"key", "reference", "scaled", "exact", "rule"}], "images", "epochs", "warmup_images", "checkpoints",
// "remarks": [...]}]}.
std::string scale_json(const std::vector<ScaledRecipe>& recipes, std::optional<std::int64_t> training_images);

// What to know before training with the recipe: values that were kept from vanishing, what rounding lost, and a
// learning rate beyond what the rule is known to bear.
std::vector<std::string> scale_remarks(const ScaledRecipe& recipe);

}  // namespace lockstep::app
