// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace lockstep {

// A number in decimal digits, with an optional sign, point and exponent, as the nearest double; the whole text must be
// one. As in Python, a number beyond the largest double is infinite and one below the smallest is 0.
std::optional<double> parse_decimal(std::string_view text);

}  // namespace lockstep
