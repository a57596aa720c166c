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
  memory_.emplace(def, environment, ops_);
}

void SimpleNet::run() {
  LS_CHECK(kGraph, !running_.exchange(true), "net '{}' is running already; wait for that run to end", name());
  struct Done {
    std::atomic<bool>& running;
    ~Done() { running = false; }
  } done{running_};
  memory_->begin_run();
  try {
    for (std::size_t k = 0; k < ops_.size(); ++k) {
      ops_[k]->device().enter_thread();
      ops_[k]->run();
      memory_->finished(static_cast<int>(k));
    }
  } catch (Error& error) {
    describe(error);
    throw;
  }
}

}  // namespace lockstep
