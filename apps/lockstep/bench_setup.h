// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/data/minibatch.h"

namespace lockstep::app {

// The training data of a recipe, ready to be built into micro-batches; sets the recipe's classes.
std::unique_ptr<MinibatchBuilder> open_training_data(Config& config);

}  // namespace lockstep::app
