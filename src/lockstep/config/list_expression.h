// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lockstep/config/value.h"

namespace lockstep {

// The value of the arithmetic list that stands behind an eval tag in Detectron2's RetinaNet files, such as
// "[[x, x * 2**(1.0/3), x * 2**(2.0/3)] for x in [32, 64]]". This is a reader for one form, and runs nothing:
// numbers, + - * / ** with Python's precedence, round brackets, lists, and `for NAME in LIST` in a list (bound
// names nest). The arithmetic is in double; whole numbers stay whole under + - * where they are exact.
// Anything else, more than 2,000 characters or 10,000 values, or nesting beyond 32 is an error (kConfig).
Value evaluate_list_expression(std::string_view text);

}  // namespace lockstep
