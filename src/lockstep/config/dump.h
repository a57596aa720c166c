// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/config/config.h"

namespace lockstep {

enum class DumpComments { kNone, kDocs };  // kDocs: the meaning of each key above it

// The whole config as YAML, which loads back as the same config. A key whose absence matters and that is not set
// (NUM_CLASSES) stands in a comment.
std::string to_yaml(const Config& config, DumpComments comments = DumpComments::kNone);

// Only the keys whose value differs from the default, and set keys whose absence matters; loads back.
std::string diff_yaml(const Config& config, DumpComments comments = DumpComments::kNone);

// docs/config.md: every key with type, default, range, class and meaning, in Markdown.
std::string config_reference();

}  // namespace lockstep
