// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lockstep/base/bounded_queue.h"

namespace lockstep {

// A fixed set of lanes, each one thread with its own first-in first-out queue of tasks. A device's
// work goes to its lane, so it stays on one thread. Tasks must not throw.
class LanePool {
 public:
  // `on_start(lane)` runs once in each new thread before its first task; it may be empty.
  explicit LanePool(int lanes, const std::function<void(int lane)>& on_start = {});
  ~LanePool();  // finishes the tasks already queued, then joins
  LanePool(const LanePool&) = delete;
  LanePool& operator=(const LanePool&) = delete;

  int lanes() const;
  void run(int lane, std::function<void()> task);

 private:
  struct Lane;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace lockstep
