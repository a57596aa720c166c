// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lockstep/config/value.h"

namespace lockstep {

// Reads a plain (unquoted) YAML scalar by the rules of YAML 1.1 as PyYAML applies them, which are the rules
// Detectron2's files are written for: yes, no, on and off are truth values, 010 is 8, 1_000 is 1000, 12:30 is
// 750, `1e-3` (no point) is a text, n and y are texts. Dates stay texts.
Value resolve_plain_scalar(std::string_view text);

}  // namespace lockstep
