// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/simple_net.h"

#include "lockstep/base/check.h"

namespace lockstep {

SimpleNet::SimpleNet(const NetDef& def, const NetEnvironment& environment) : Net(def.name(), environment) {
  for (const OperatorDef& op : def.op()) {
    try {
      ops_.push_back(std::make_unique<Operator>(op, environment));
    } catch (Error& error) {
      error.add_note(fmt::format("while making net '{}'", def.name()));
      throw;
    }
  }
}

void SimpleNet::run() {
  LS_CHECK(kGraph, !running_.exchange(true), "net '{}' is running already; wait for that run to end", name());
  struct Done {
    std::atomic<bool>& running;
    ~Done() { running = false; }
  } done{running_};
  try {
    for (const auto& op : ops_) {
      op->device().enter_thread();
      op->run();
    }
  } catch (Error& error) {
    describe(error);
    throw;
  }
}

}  // namespace lockstep
