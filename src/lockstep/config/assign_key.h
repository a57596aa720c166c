// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/config/key_table.h"
#include "lockstep/config/problems.h"

namespace lockstep {

// Fits the value to the key, expands environment variables where the key holds paths, assigns it and notes the key as
// set. Otherwise adds a problem and returns false. `where` is the place that states it, `name` the name it is stated
// by (another one than the key's where that is Detectron's).
bool assign_key(Config& config, const KeyInfo& key, const Value& value, const std::string& where,
                const std::string& name, ConfigProblems& problems);

}  // namespace lockstep
