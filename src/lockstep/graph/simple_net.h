// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "lockstep/graph/borrowed_memory.h"
#include "lockstep/graph/net.h"

namespace lockstep {

// Runs the operators one after another in program order, on the calling thread.
class SimpleNet : public Net {
 public:
  SimpleNet(const NetDef& def, const NetEnvironment& environment);
  void run() override;

 private:
  std::vector<std::unique_ptr<Operator>> ops_;
  std::optional<BorrowedMemory> memory_;
  std::atomic<bool> running_ = false;
};

}  // namespace lockstep
