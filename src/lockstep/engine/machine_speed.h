// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

// What one worker gets of the machine while the others are as busy as it is.
struct MachineSpeed {
  double flops = 0;  // floating-point operations per second, of a large matrix product
  double bytes = 0;  // read and written per second, of a memcpy that no cache holds
};

// Measures both with `workers` workers of `threads` threads at once, in about half a second.
MachineSpeed measure_machine(int workers, int threads);

}  // namespace lockstep
