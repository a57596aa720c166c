// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace lockstep {

// The length of the UTF-8 sequence (1 to 4 bytes) that starts at byte `at`, or 0 where there is none: overlong forms
// and surrogates are none.
std::size_t utf8_length(std::string_view text, std::size_t at);

// The first byte at which the text stops being UTF-8, or its size.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace lockstep
