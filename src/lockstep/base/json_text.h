// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// The text as a JSON string, quotes included; control characters are escaped, UTF-8 passes through.
std::string json_quote(std::string_view text);

// The shortest decimal that reads back as the same value; "null" when it is not finite, which JSON cannot hold.
std::string json_number(double value);

}  // namespace lockstep
