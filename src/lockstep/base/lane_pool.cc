// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/lane_pool.h"

#include <limits>
#include <thread>
#include <utility>

#include "lockstep/base/check.h"

namespace lockstep {

struct LanePool::Lane {
  // Also when a later lane of a new pool gets no thread from the system.
  ~Lane() {
    tasks.close();
    if (thread.joinable()) thread.join();
  }
  BoundedQueue<std::function<void()>> tasks{std::numeric_limits<std::size_t>::max()};
  std::thread thread;
};

LanePool::LanePool(int lanes, const std::function<void(int)>& on_start) {
  LS_ASSERT(lanes >= 1, "LanePool needs at least one lane, got {}", lanes);
  for (int i = 0; i < lanes; ++i) {
    lanes_.push_back(std::make_unique<Lane>());
    Lane& lane = *lanes_.back();
    lane.thread = std::thread([&lane, i, on_start] {
      if (on_start) on_start(i);
      while (auto task = lane.tasks.pop()) (*task)();
    });
  }
}

LanePool::~LanePool() {
  for (auto& lane : lanes_) lane->tasks.close();  // all first: lanes finish side by side
}

int LanePool::lanes() const { return static_cast<int>(lanes_.size()); }

void LanePool::run(int lane, std::function<void()> task) {
  LS_ASSERT(lane >= 0 && lane < lanes(), "lane {} of {} does not exist", lane, lanes());
  lanes_[static_cast<std::size_t>(lane)]->tasks.push(std::move(task));
}

}  // namespace lockstep
