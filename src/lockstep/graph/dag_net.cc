// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/dag_net.h"

#include <algorithm>
#include <utility>

#include "lockstep/base/check.h"

namespace lockstep {

DagNet::DagNet(const NetDef& def, const NetEnvironment& environment)
    : Net(def.name(), environment), dag_(build_dag(def)) {
  LS_CHECK(kGraph, environment.lanes_per_device >= 1, "net '{}' needs at least one lane per device, got {}", def.name(),
           environment.lanes_per_device);
  make_operators(def, environment);
  memory_.emplace(def, environment, ops_);
  make_lanes(environment);
}

void DagNet::make_operators(const NetDef& def, const NetEnvironment& environment) {
  for (const OperatorDef& op : def.op()) {
    try {
      ops_.push_back(std::make_unique<Operator>(op, environment));
    } catch (Error& error) {
      error.add_note(fmt::format("while making net '{}'", def.name()));
      throw;
    }
    priority_.push_back(op.priority());
  }
}

// Lane j of the environment's device d is lane d * lanes_per_device + j of a shared pool; a pool of the net's own has
// lanes for the devices that it uses.
void DagNet::make_lanes(const NetEnvironment& environment) {
  const auto& devices = environment.devices;
  const int per_device = environment.lanes_per_device;
  std::vector<int> index_of_device(devices.size(), -1);
  std::vector<DeviceContext*> context_of_lane;
  for (const auto& op : ops_) {
    const auto at = std::find(devices.begin(), devices.end(), &op->device()) - devices.begin();
    int& index = index_of_device[static_cast<std::size_t>(at)];
    if (index < 0) {
      index = static_cast<int>(devices_.size());
      devices_.push_back(std::make_unique<Device>());
      const int first = static_cast<int>(environment.lanes != nullptr ? at : index) * per_device;
      for (int lane = first; lane < first + per_device; ++lane) devices_.back()->lanes.push_back(lane);
      context_of_lane.insert(context_of_lane.end(), static_cast<std::size_t>(per_device), &op->device());
    }
    device_of_.push_back(index);
  }
  pool_ = environment.lanes;
  if (pool_ != nullptr) {
    const int wanted = static_cast<int>(devices.size()) * per_device;
    LS_CHECK(kGraph, pool_->lanes() >= wanted, "net '{}' needs {} lane{} per device: {} lanes for {} devices", name(),
             per_device, per_device > 1 ? "s" : "", pool_->lanes(), devices.size());
  } else if (!devices_.empty()) {
    own_pool_ = std::make_unique<LanePool>(static_cast<int>(context_of_lane.size()), [context_of_lane](int lane) {
      context_of_lane[static_cast<std::size_t>(lane)]->enter_thread();
    });
    pool_ = own_pool_.get();
  }
}

void DagNet::run() {
  std::unique_lock lock(mutex_);
  LS_CHECK(kGraph, !running_, "net '{}' is running already; wait for that run to end", name());
  running_ = true;
  start();
  for (const auto& device : devices_) lanes_inside_ += device->lanes.size();
  for (const auto& device : devices_) {
    for (const int lane : device->lanes) pool_->run(lane, [this, &device = *device] { run_lane(device); });
  }
  all_left_.wait(lock, [&] { return lanes_inside_ == 0; });
  running_ = false;
  if (error_) {
    Error error = std::move(*error_);
    describe(error);
    throw error;
  }
}

void DagNet::start() {
  error_.reset();
  memory_->begin_run();
  end_ = unfinished_ = static_cast<int>(ops_.size());
  finished_.assign(ops_.size(), false);
  waiting_for_.clear();
  for (const auto& device : devices_) device->ready = {};
  for (std::size_t k = 0; k < ops_.size(); ++k) {
    waiting_for_.push_back(static_cast<int>(dag_.parents[k].size()));
    if (dag_.parents[k].empty()) make_ready(static_cast<int>(k));
  }
}

void DagNet::run_lane(Device& device) {
  std::unique_lock lock(mutex_);
  while (true) {
    device.wake.wait(lock, [&] { return !device.ready.empty() || unfinished_ == 0; });
    if (unfinished_ == 0) break;
    const int k = device.ready.top().op;
    device.ready.pop();
    if (k >= end_) continue;
    lock.unlock();
    std::optional<Error> failed;
    try {
      ops_[static_cast<std::size_t>(k)]->run();
      memory_->finished(k);
    } catch (const Error& error) {
      failed = error;
    }
    lock.lock();
    if (failed) {
      fail(k, std::move(*failed));
    } else {
      finish_op(k, device);
    }
  }
  // Notified under the lock: the net may be gone once the caller has seen the last lane leave.
  if (--lanes_inside_ == 0) all_left_.notify_one();
}

void DagNet::make_ready(int op) {
  const auto k = static_cast<std::size_t>(op);
  devices_[static_cast<std::size_t>(device_of_[k])]->ready.push({priority_[k], op});
}

void DagNet::finish_op(int op, const Device& here) {
  finished_[static_cast<std::size_t>(op)] = true;
  bool here_taken = false;  // this lane takes one of its own device's without being woken
  for (const int child : dag_.children[static_cast<std::size_t>(op)]) {
    if (--waiting_for_[static_cast<std::size_t>(child)] > 0) continue;
    make_ready(child);
    Device& device = *devices_[static_cast<std::size_t>(device_of_[static_cast<std::size_t>(child)])];
    if (&device == &here && !std::exchange(here_taken, true)) continue;
    device.wake.notify_one();
  }
  if (op < end_ && --unfinished_ == 0) wake_all();
}

// What stands before `op` in the program does not wait for it and still runs: one of those may fail too, and then it is
// the first.
void DagNet::fail(int op, Error error) {
  if (op >= end_) return;
  end_ = op;
  error_ = std::move(error);
  unfinished_ = static_cast<int>(std::count(finished_.begin(), finished_.begin() + op, false));
  if (unfinished_ == 0) wake_all();
}

void DagNet::wake_all() {
  for (const auto& device : devices_) device->wake.notify_all();
}

}  // namespace lockstep
