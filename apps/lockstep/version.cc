// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/engine/build_info.h"
#include "output.h"

namespace lockstep::app {

int run_version(bool json) {
  print(json ? fmt::format("{{\"version\": {}, \"build\": {}, \"libraries\": {}}}\n", json_quote(lockstep_version()),
                           json_quote(build_description()), json_quote(LOCKSTEP_LIBRARIES))
             : fmt::format("lockstep {}\nbuild: {}\nlibraries: {}\n", lockstep_version(), build_description(),
                           LOCKSTEP_LIBRARIES));
  return 0;
}

void add_version_command(CLI::App& app, Program& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App& command = add_command(
      app, {"version", "Versions of the program and its libraries", "version [--json]", "lockstep version"});
  add_json_flag(command, *json);
  command.callback([&, json] {
    program.action = [&, json] {
      require_no_arguments(command);
      return run_version(*json);
    };
  });
}

}  // namespace lockstep::app
