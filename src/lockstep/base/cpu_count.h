// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

struct CpuCount {
  int cores = 1;       // at least 1
  std::string reason;  // "2 cores in the affinity mask", "cgroup limit of 1.5 cores"
};

// The cores that this process may use: the smaller of its affinity mask and its cgroup's CPU limit.
CpuCount available_cpus();

}  // namespace lockstep
