// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::app {

// Facts about this machine, for doctor.
struct Memory {
  std::optional<std::uint64_t> total, available;  // bytes, /proc/meminfo
  std::optional<std::uint64_t> group_limit;       // bytes, of the process's cgroup
};
Memory machine_memory();

std::string cpu_model();      // "unknown" when /proc/cpuinfo does not say
std::string affinity_text();  // the cores this process may run on, "0-1,4"
bool has_label_font();        // fontconfig's folders hold a TrueType font for drawn labels
std::optional<std::uint64_t> free_disk_bytes(const std::string& path);

}  // namespace lockstep::app
