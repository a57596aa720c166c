// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/run_record.h"

#include <sys/utsname.h>

#include <chrono>
#include <ctime>

#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/base/json_text.h"
#include "lockstep/engine/build_info.h"
#include "lockstep/io/atomic_file.h"

namespace lockstep {
namespace {

std::string utc_time() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

void write_run_record(const std::string& path, const std::vector<std::string>& argv, const Numerics& numerics,
                      int workers) {
  std::string words;
  for (const std::string& word : argv) words += (words.empty() ? "" : ", ") + json_quote(word);
  utsname machine{};
  uname(&machine);
  write_file_atomically(
      path,
      fmt::format("{{\n  \"argv\": [{}],\n  \"version\": {},\n  \"build\": {},\n  \"isa\": {},\n  \"threads\": {},\n"
                  "  \"workers\": {},\n  \"started\": {},\n  \"host\": {},\n  \"system\": {},\n  \"cores\": {}\n}}\n",
                  words, json_quote(lockstep_version()), json_quote(numerics.build), json_quote(numerics.isa),
                  numerics.threads, workers, json_quote(utc_time()), json_quote(machine.nodename),
                  json_quote(fmt::format("{} {}", machine.sysname, machine.release)), available_cpus().cores));
}

}  // namespace lockstep
