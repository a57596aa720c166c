// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <vector>

#include "lockstep/base/error.h"
#include "lockstep/base/lane_pool.h"
#include "lockstep/graph/borrowed_memory.h"
#include "lockstep/graph/dag.h"
#include "lockstep/graph/net.h"

namespace lockstep {

// Runs every operator as soon as what it waits for is done, each device's operators on one lane
// (thread). Of the operators that are ready, a lane takes the first in program order. An operator that blocks
// holds up its own lane only. After an error nothing new starts; operators that run already finish.
class DagNet : public Net {
 public:
  DagNet(const NetDef& def, const NetEnvironment& environment);
  void run() override;

 private:
  // The ready operators of one device; the lowest index first.
  struct Lane {
    int pool_lane = 0;
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    std::condition_variable wake;
  };

  void run_lane(Lane& lane);
  void finish_op(int op, const Lane& here);

  std::vector<std::unique_ptr<Operator>> ops_;
  std::optional<BorrowedMemory> memory_;
  Dag dag_;
  std::vector<int> lane_of_;  // index into lanes_, per operator
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<LanePool> own_pool_;
  LanePool* pool_ = nullptr;

  std::mutex mutex_;  // guards all below and the lanes' queues
  std::condition_variable all_left_;
  std::vector<int> waiting_for_;  // parents that have not finished, per operator
  std::size_t unfinished_ = 0;
  std::size_t lanes_inside_ = 0;
  bool running_ = false;
  std::optional<Error> error_;
};

}  // namespace lockstep
