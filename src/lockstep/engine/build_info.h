// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

std::string lockstep_version();  // "0.1.0"

// What of the build decides the bits: the versions of Lockstep, its compiler and oneDNN.
std::string build_description();

}  // namespace lockstep
