// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/config.h"

namespace lockstep {

// Something to say about one key of a config.
struct ConfigRemark {
  std::string path;
  std::string value;  // in YAML
  std::string text;   // why, and what to do
};

// Every value that loads but that this build cannot run.
std::vector<ConfigRemark> unsupported_values(const Config& config);

// Every key of class "no effect" whose value differs from the default.
std::vector<ConfigRemark> unused_values(const Config& config);

// Every contradiction between keys of a config whose values can all be run: a batch that micro-batches do not divide,
// thresholds without labels, and so on.
std::vector<std::string> contradictions(const Config& config);

// Throws one kUnsupported error that names every unsupported value, or one kConfig error that lists every
// contradiction. For commands that build nets; reading and printing a config does not need it.
void check_supported(const Config& config);

}  // namespace lockstep
