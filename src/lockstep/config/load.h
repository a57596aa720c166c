// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/config/config.h"

namespace lockstep {

// Reads a config file with its `_BASE_` chain (each path relative to the file that states it), then applies
// the overrides. All problems of the files and overrides are reported in one error of kind kConfig, each with
// file, line, column, key, found, wanted and the nearest key. Unsupported values load; see check_supported.
// Names of Detectron (detectron_keys.h) are translated, each with a line in Config::notices.
Config load_config(const std::string& path, const std::vector<std::string>& overrides = {});

// The same for a text; `file_name` stands in messages, and `_BASE_` is relative to its directory.
Config config_from_yaml(std::string_view text, const std::string& file_name = "<text>");

// Applies "KEY VALUE" pairs and "KEY=VALUE" items, which may be mixed, in order. Values are read like values
// in a file (YAML 1.1 scalars, Python literals, and lists in square brackets without quotes).
void apply_overrides(Config& config, const std::vector<std::string>& overrides);

}  // namespace lockstep
