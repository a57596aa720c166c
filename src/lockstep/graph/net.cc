// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/net.h"

#include "lockstep/base/check.h"
#include "lockstep/graph/dag_net.h"
#include "lockstep/graph/simple_net.h"

namespace lockstep {

void Net::describe(Error& error) const {
  error.add_note(fmt::format("in net '{}'", name_));
  if (!describe_run_) return;
  const std::string run = describe_run_();
  if (!run.empty()) error.add_note("at " + run);
}

std::unique_ptr<Net> make_net(const NetDef& def, const NetEnvironment& environment) {
  LS_CHECK(kGraph, !def.name().empty(), "a net needs a name");
  if (def.type().empty() || def.type() == "simple") return std::make_unique<SimpleNet>(def, environment);
  if (def.type() == "dag") return std::make_unique<DagNet>(def, environment);
  LS_THROW(kGraph, "net '{}' asks for executor '{}'; there are simple and dag", def.name(), def.type());
}

void run_net_once(const NetDef& def, const NetEnvironment& environment) { make_net(def, environment)->run(); }

}  // namespace lockstep
