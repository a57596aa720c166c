// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/config.h"

namespace lockstep::app {

// The folder of recipes shipped with the program: ../share/lockstep/configs from the executable, in an installation
// and in a build folder alike.
std::string recipe_folder();

// The names that stand after @, sorted.
std::vector<std::string> recipe_names();

// The config of `file`, which is a path or @NAME, with the overrides; says on stderr what reading it had
// to say. kConfig when there is none of that name.
Config load_recipe(const std::string& file, const std::vector<std::string>& overrides);

}  // namespace lockstep::app
