// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/scaling.h"

namespace lockstep::app {

// An SVG picture of the learning rate (logarithmic) over the images seen, one line per recipe.
std::string scale_plot(const std::vector<ScaledRecipe>& recipes);

}  // namespace lockstep::app
