// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/config/config.h"

namespace lockstep {

// What decides the bits of a run besides the recipe. Compared at resume.
struct Numerics {
  std::string build;  // version of Lockstep and its libraries
  std::string isa;    // instruction set of the kernels
  int threads = 1;    // T
  bool operator==(const Numerics&) const = default;
};
Numerics current_numerics(int threads);
// "build 0.1.0 -> 0.2.0, threads 1 -> 2": the differences, empty when there are none.
std::string describe_difference(const Numerics& before, const Numerics& now);

// Limits this process to SOLVER.CPU_ISA; nothing when the key is empty. kConfig when the name is unknown or kernels of
// another instruction set have been made already.
void pin_instruction_set(const Config& config);

}  // namespace lockstep
