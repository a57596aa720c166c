// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "lockstep/config/config.h"

namespace lockstep {

// The settings of a recipe that depend on the number of workers. Throws kConfig, naming the keys, when a time is
// stated in epochs: scaling needs iterations (resolve_epochs).
ScaledSettings settings_of(const Config& config);

// Puts them back into a recipe; the keys count as set.
void apply_settings(const ScaledSettings& settings, Config& config);

// kConfig when num_workers is below 1.
void require_workers(int num_workers);

// kConfig when the images of a step cannot be shared evenly by the workers that the recipe was made for.
void require_divisible_batch(const ScaledSettings& settings, std::int64_t reference_world_size);

}  // namespace lockstep
