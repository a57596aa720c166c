// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lockstep::app {

// Writes to stdout, at once. kIo when stdout cannot take it.
void print(std::string_view text);

// Prints what `lockstep version` prints; gives the exit code.
int run_version(bool json);

}  // namespace lockstep::app
