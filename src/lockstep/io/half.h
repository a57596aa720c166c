// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

// The float of the same value as an IEEE 754 half (binary16); exact, denormals, infinities and NaN included.
float float_from_f16(std::uint16_t bits);

// The float whose upper 16 bits these are (bfloat16); exact.
float float_from_bf16(std::uint16_t bits);

}  // namespace lockstep
