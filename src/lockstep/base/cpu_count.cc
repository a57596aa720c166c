// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/cpu_count.h"

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <fstream>

namespace lockstep {
namespace {

// Cores by cpu.max of cgroup v2; 0 when there is no limit.
double cgroup_limit() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
  return std::stod(quota) / period;
}

}  // namespace

CpuCount available_cpus() {
  CpuCount count;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) count.cores = std::max(1, CPU_COUNT(&mask));
  count.reason = fmt::format("{} cores in the affinity mask", count.cores);
  const double limit = cgroup_limit();
  if (limit > 0 && limit < count.cores) {
    count.cores = std::max(1, static_cast<int>(limit));
    count.reason = fmt::format("cgroup limit of {} cores", limit);
  }
  return count;
}

}  // namespace lockstep
