// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <fmt/format.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <string_view>

namespace lockstep::app {
namespace fs = std::filesystem;
namespace {

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

}  // namespace

Memory machine_memory() {
  Memory memory;
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    char name[32] = {};
    unsigned long long kilobytes = 0;
    if (std::sscanf(line.c_str(), "%31[^:]: %llu kB", name, &kilobytes) != 2) continue;
    if (std::string_view(name) == "MemTotal") memory.total = kilobytes * 1024;
    if (std::string_view(name) == "MemAvailable") memory.available = kilobytes * 1024;
  }
  memory.group_limit = number_in("/sys/fs/cgroup/memory.max");
  return memory;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t at = line.find(": ");
    if (at != std::string::npos) return line.substr(at + 2);
  }
  return "unknown";
}

std::string affinity_text() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof(mask), &mask) != 0) return "unknown";
  std::string text;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &mask)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &mask)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last > first) text += fmt::format("-{}", last);
    first = last;
  }
  return text;
}

bool has_label_font() {
  std::error_code ignored;
  for (const char* folder : {"/usr/share/fonts", "/usr/local/share/fonts"}) {
    for (fs::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
      if (at->path().extension() == ".ttf") return true;
    }
  }
  return false;
}

std::optional<std::uint64_t> free_disk_bytes(const std::string& path) {
  std::error_code failed;
  const fs::space_info space = fs::space(path, failed);
  if (failed) return std::nullopt;
  return space.available;
}

}  // namespace lockstep::app
