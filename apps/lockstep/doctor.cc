// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/base/json_text.h"
#include "lockstep/base/text.h"
#include "lockstep/engine/build_info.h"
#include "lockstep/engine/checkpoint.h"
#include "machine.h"
#include "output.h"
#include "recipes.h"

namespace lockstep::app {
namespace {

// One finding; `advice` is empty when all is well.
struct Finding {
  std::string subject, text, advice;
};

std::string gigabytes(std::optional<std::uint64_t> bytes) {
  return bytes ? fmt::format("{:.1f} GB", static_cast<double>(*bytes) / 1e9) : "unknown";
}

Finding memory_finding() {
  constexpr std::uint64_t kSmall = 1'000'000'000;
  const Memory memory = machine_memory();
  std::string text = fmt::format("{}, {} available", gigabytes(memory.total), gigabytes(memory.available));
  if (memory.group_limit) text += fmt::format(", limit of the cgroup {}", gigabytes(memory.group_limit));
  const bool little = memory.available && *memory.available < kSmall;
  return {"memory", text, little ? "training needs about 0.5 GB for each worker; close other programs" : ""};
}

Finding disk_finding() {
  constexpr std::uint64_t kSmall = 500'000'000;
  const auto bytes = free_disk_bytes(".");
  return {"disk", gigabytes(bytes) + " free here",
          bytes && *bytes < kSmall ? "checkpoints may not fit; use --out" : ""};
}

Finding recipe_finding() {
  auto names = recipe_names();
  for (std::string& name : names) name.insert(0, "@");
  return {"recipes", names.empty() ? "none in " + recipe_folder() : join_words(names),
          names.empty() ? "install the program whole: make install" : ""};
}

std::vector<Finding> examine() {
  const CpuCount cpus = available_cpus();
  return {
      {"program", "lockstep " + lockstep_version(), ""},
      {"build", build_description(), ""},
      {"libraries", LOCKSTEP_LIBRARIES, ""},
      {"processor", cpu_model(), ""},
      {"instruction set", current_numerics(1).isa, ""},
      {"cores", fmt::format("{} ({}); {} in the machine", cpus.cores, cpus.reason, std::thread::hardware_concurrency()),
       ""},
      {"affinity", affinity_text(), ""},
      memory_finding(),
      disk_finding(),
      {"label font", has_label_font() ? "found" : "none",
       has_label_font() ? "" : "pictures get boxes without readable labels; install fonts-dejavu-core"},
      recipe_finding(),
  };
}

int run(bool json) {
  std::string text;
  for (const Finding& finding : examine()) {
    if (json) {
      text += fmt::format("{}{{\"subject\": {}, \"found\": {}, \"advice\": {}}}", text.empty() ? "" : ", ",
                          json_quote(finding.subject), json_quote(finding.text), json_quote(finding.advice));
    } else {
      text += fmt::format("{:<16} {}\n", finding.subject, finding.text);
      if (!finding.advice.empty()) text += fmt::format("{:<16} -> {}\n", "", finding.advice);
    }
  }
  print(json ? "[" + text + "]\n" : text);
  return 0;
}

}  // namespace

void add_doctor_command(CLI::App& app, Program& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App& command =
      add_command(app, {"doctor", "What this machine and build can do", "doctor [--json]", "lockstep doctor"});
  add_json_flag(command, *json);
  command.callback([&, json] {
    program.action = [&, json] {
      require_no_arguments(command);
      return run(*json);
    };
  });
}

}  // namespace lockstep::app
