// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "lockstep/config/value.h"

namespace lockstep {

// Reads a text as a Python literal: numbers, quoted strings, True, False, None, and tuples and lists of
// these, nested at most 32 deep. Detectron2's files write ("coco_2017_train",) and (60000, 80000) so. Nothing
// is executed. A text that is no literal gives nullopt (it stays a text). Sets, dicts, bytes and complex
// numbers are not read. Beyond Python, numbers of epochs (8ep) are read, as texts.
std::optional<Value> parse_literal(std::string_view text);

}  // namespace lockstep
