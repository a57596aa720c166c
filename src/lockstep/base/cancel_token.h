// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace lockstep {

// Asks long work to end early. Safe to call from a signal handler and from any thread.
class CancelToken {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_ = false;
};

}  // namespace lockstep
