// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/config/detectron_keys.h"

namespace lockstep {

// The value of a name of Detectron: as stated, or Detectron's default.
using DetectronValue = std::function<Value(const std::string& path)>;

// Names of Detectron that only together have a meaning here.
struct DetectronFamily {
  std::vector<std::string> members;
  std::vector<std::string> shared;  // names of other families that it reads too
  bool needs_body = false;          // has no meaning outside a whole recipe
  // Writes the settings here that they mean, or returns what is wrong with them: "NAME: found ..., wanted ...".
  std::function<std::optional<std::string>(const DetectronValue&, Assignments&)> resolve;
};

const std::vector<DetectronFamily>& detectron_families();

}  // namespace lockstep
