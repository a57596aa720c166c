// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lockstep/config/config.h"

namespace lockstep::app {

// Says on stderr what reading the recipe had to say.
void log_notices(std::string_view command, const Config& config);

// Says on stderr which values of a recipe this build cannot run (as warnings) or has no use for.
void log_remarks(std::string_view command, const Config& config);

}  // namespace lockstep::app
