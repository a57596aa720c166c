// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace lockstep {

// Replaces every ${NAME} by the environment variable of that name (letters, digits and _, no digit first); what a
// variable holds is not expanded again, and $${ stands for ${ itself. Other uses of $ are left alone. Returns what is
// wrong, and leaves the text alone, where a variable is not set or a ${ does not hold a name.
std::optional<std::string> expand_environment(std::string& text);

// The text that expand_environment turns into `text`.
std::string escape_environment(const std::string& text);

}  // namespace lockstep
