// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/net.h"

#include <fmt/format.h>

#include <set>

#include "lockstep/graph/dag_net.h"
#include "lockstep/graph/simple_net.h"
#include "lockstep/graph/validate.h"

namespace lockstep {
namespace {

std::string op_text(const OperatorDef& op) { return fmt::format("op {} '{}'", op.type(), op.name()); }

// What keeps a net from running here although it may be well formed: devices that do not exist and external inputs that
// nothing has made, each named once, with the first operator that wants it.
void check_surroundings(const NetDef& def, const NetEnvironment& environment, std::vector<std::string>& problems) {
  std::set<std::string> missing(def.external_input().begin(), def.external_input().end());
  std::erase_if(missing, [&](const std::string& name) { return environment.workspace->has(name); });
  std::set<DeviceId> checked;
  for (const OperatorDef& op : def.op()) {
    const DeviceOption& option = op.device_option();
    const bool known_type = option.type().empty() || option.type() == "cpu" || option.type() == "cuda";
    try {
      // An unknown type is among the structural problems.
      if (known_type && checked.insert(device_id(option)).second) environment.device(option);
    } catch (const Error& error) {
      problems.push_back(op_text(op) + ": " + error.message());
    }
    for (const std::string& name : op.input()) {
      if (missing.erase(name) > 0) {
        problems.push_back(fmt::format("{} reads blob '{}', which nothing has made", op_text(op), name));
      }
    }
  }
}

void require_runnable(const NetDef& def, const NetEnvironment& environment) {
  std::vector<std::string> problems;
  if (!def.type().empty() && def.type() != "simple" && def.type() != "dag") {
    problems.push_back(fmt::format("executor '{}' does not exist; there are simple and dag", def.type()));
  }
  for (std::string& problem : structural_problems(def, *environment.catalog)) problems.push_back(std::move(problem));
  check_surroundings(def, environment, problems);
  require_no_problems(def.name(), problems);
}

}  // namespace

void Net::describe(Error& error) const {
  error.add_note(fmt::format("in net '{}'", name_));
  if (!describe_run_) return;
  const std::string run = describe_run_();
  if (!run.empty()) error.add_note("at " + run);
}

std::unique_ptr<Net> make_net(const NetDef& def, const NetEnvironment& environment) {
  require_runnable(def, environment);
  if (def.type() == "dag") return std::make_unique<DagNet>(def, environment);
  return std::make_unique<SimpleNet>(def, environment);
}

void run_net_once(const NetDef& def, const NetEnvironment& environment) { make_net(def, environment)->run(); }

}  // namespace lockstep
