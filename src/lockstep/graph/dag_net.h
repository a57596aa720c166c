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

// Runs every operator as soon as what it waits for is done, each device's operators on its own lanes (threads;
// NetEnvironment::lanes_per_device of them). Of the operators that are ready, a lane takes one of the highest priority
// and of these the first in program order. An operator that blocks holds up its own lane only.
//
// Errors do not depend on the schedule: after one, only operators that stand earlier in the program are still started,
// and the error of the first operator in program order that failed is thrown: the one that `simple` would throw.
class DagNet : public Net {
 public:
  DagNet(const NetDef& def, const NetEnvironment& environment);
  void run() override;

 private:
  struct Ready {
    int priority = 0;
    int op = 0;
    bool operator<(const Ready& other) const {  // std::priority_queue takes the largest first
      return priority != other.priority ? priority < other.priority : op > other.op;
    }
  };

  // The ready operators of one device.
  struct Device {
    std::vector<int> lanes;  // of the pool
    std::priority_queue<Ready> ready;
    std::condition_variable wake;
  };

  void make_operators(const NetDef& def, const NetEnvironment& environment);
  void make_lanes(const NetEnvironment& environment);
  void start();
  void run_lane(Device& device);
  void make_ready(int op);
  void finish_op(int op, const Device& here);
  void fail(int op, Error error);
  void wake_all();

  std::vector<std::unique_ptr<Operator>> ops_;
  std::optional<BorrowedMemory> memory_;
  Dag dag_;
  std::vector<int> priority_;   // per operator
  std::vector<int> device_of_;  // index into devices_, per operator
  std::vector<std::unique_ptr<Device>> devices_;
  std::unique_ptr<LanePool> own_pool_;
  LanePool* pool_ = nullptr;

  std::mutex mutex_;  // guards all below and the devices' queues
  std::condition_variable all_left_;
  std::vector<int> waiting_for_;  // parents that have not finished, per operator
  std::vector<bool> finished_;
  int end_ = 0;         // operators from here on are not started any more: the first that failed, or all
  int unfinished_ = 0;  // operators before end_
  std::size_t lanes_inside_ = 0;
  bool running_ = false;
  std::optional<Error> error_;  // of operator end_
};

}  // namespace lockstep
