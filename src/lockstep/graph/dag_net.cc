// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/dag_net.h"

#include <algorithm>
#include <utility>

#include "lockstep/base/check.h"

namespace lockstep {

DagNet::DagNet(const NetDef& def, const NetEnvironment& environment)
    : Net(def.name(), environment), dag_(build_dag(def)) {
  const auto& devices = environment.devices;
  std::vector<int> lane_of_device(devices.size(), -1);
  std::vector<DeviceContext*> used;
  for (const OperatorDef& op : def.op()) {
    try {
      ops_.push_back(std::make_unique<Operator>(op, environment));
    } catch (Error& error) {
      error.add_note(fmt::format("while making net '{}'", def.name()));
      throw;
    }
    const auto at = std::find(devices.begin(), devices.end(), &ops_.back()->device());
    const auto device = static_cast<std::size_t>(at - devices.begin());
    if (lane_of_device[device] < 0) {
      lane_of_device[device] = static_cast<int>(lanes_.size());
      lanes_.push_back(std::make_unique<Lane>());
      lanes_.back()->pool_lane = static_cast<int>(environment.lanes != nullptr ? device : lanes_.size() - 1);
      used.push_back(devices[device]);
    }
    lane_of_.push_back(lane_of_device[device]);
  }
  memory_.emplace(def, environment, ops_);
  pool_ = environment.lanes;
  if (pool_ != nullptr) {
    LS_CHECK(kGraph, pool_->lanes() >= static_cast<int>(devices.size()),
             "net '{}' needs one lane per device: {} lanes for {} devices", def.name(), pool_->lanes(), devices.size());
  } else if (!lanes_.empty()) {
    own_pool_ = std::make_unique<LanePool>(static_cast<int>(lanes_.size()),
                                           [used](int lane) { used[static_cast<std::size_t>(lane)]->enter_thread(); });
    pool_ = own_pool_.get();
  }
}

void DagNet::run() {
  std::unique_lock lock(mutex_);
  LS_CHECK(kGraph, !running_, "net '{}' is running already; wait for that run to end", name());
  running_ = true;
  error_.reset();
  memory_->begin_run();
  unfinished_ = ops_.size();
  waiting_for_.clear();
  for (std::size_t k = 0; k < ops_.size(); ++k) {
    waiting_for_.push_back(static_cast<int>(dag_.parents[k].size()));
    if (dag_.parents[k].empty()) lanes_[static_cast<std::size_t>(lane_of_[k])]->ready.push(static_cast<int>(k));
  }
  lanes_inside_ = lanes_.size();
  for (const auto& lane : lanes_) {
    pool_->run(lane->pool_lane, [this, &lane = *lane] { run_lane(lane); });
  }
  all_left_.wait(lock, [&] { return lanes_inside_ == 0; });
  for (const auto& lane : lanes_) lane->ready = {};
  running_ = false;
  if (error_) {
    Error error = std::move(*error_);
    error_.reset();
    describe(error);
    throw error;
  }
}

void DagNet::run_lane(Lane& lane) {
  std::unique_lock lock(mutex_);
  while (true) {
    lane.wake.wait(lock, [&] { return !lane.ready.empty() || unfinished_ == 0 || error_; });
    if (unfinished_ == 0 || error_) break;
    const int k = lane.ready.top();
    lane.ready.pop();
    lock.unlock();
    std::optional<Error> failed;
    try {
      ops_[static_cast<std::size_t>(k)]->run();
      memory_->finished(k);
    } catch (const Error& error) {
      failed = error;
    }
    lock.lock();
    if (!failed) {
      finish_op(k, lane);
    } else if (!error_) {
      error_ = std::move(failed);
      for (const auto& other : lanes_) other->wake.notify_one();
    }
  }
  // Notified under the lock: the net may be gone once the caller has seen the last lane leave.
  if (--lanes_inside_ == 0) all_left_.notify_one();
}

void DagNet::finish_op(int op, const Lane& here) {
  for (const int child : dag_.children[static_cast<std::size_t>(op)]) {
    if (--waiting_for_[static_cast<std::size_t>(child)] > 0) continue;
    Lane& lane = *lanes_[static_cast<std::size_t>(lane_of_[static_cast<std::size_t>(child)])];
    lane.ready.push(child);
    if (&lane != &here) lane.wake.notify_one();
  }
  if (--unfinished_ > 0) return;
  for (const auto& lane : lanes_) lane->wake.notify_one();
}

}  // namespace lockstep
