// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/base/lane_pool.h"
#include "lockstep/graph/arena.h"
#include "lockstep/graph/catalog.h"
#include "lockstep/graph/workspace.h"

namespace lockstep {

// What nets need to be made: operators, blobs, devices and the recipe's seed. All of it outlives the nets.
struct NetEnvironment {
  const OpCatalog* catalog = nullptr;
  Workspace* workspace = nullptr;
  std::vector<DeviceContext*> devices;
  Engine engine = Engine::kDevice;
  std::uint64_t seed = 3;
  // Threads for "dag" nets, with enter_thread() done: those of devices[i] from lane i * lanes_per_device on. Nets may
  // share them as long as they do not run at once. Null: every dag net makes its own.
  LanePool* lanes = nullptr;
  int lanes_per_device = 1;  // operators of one device that a dag net may run at once
  // Arena i is the memory of devices[i] for blobs that nets neither read nor leave behind (liveness.h): after a run
  // these are empty. No arenas: every blob keeps memory of its own.
  std::vector<Arena*> arenas = {};
  // What runs, such as "worker 1, step 17": called when a net fails and added to the error. May be empty.
  std::function<std::string()> describe_run = {};
  // Is told how long each run of an operator took, for profiles; on the operator's thread. May be empty: then no clock
  // is read.
  std::function<void(const OperatorDef& op, double seconds)> on_op = {};

  DeviceContext& device(const DeviceOption& option) const;  // kGraph when it is not among `devices`
};

DeviceId device_id(const DeviceOption& option);

// A blob that has memory only between its first and its last user.
struct BorrowedBlob {
  Blob* blob = nullptr;
  Arena* arena = nullptr;
  std::atomic<int> users_left = 0;
  bool borrowed = false;  // its memory is the arena's
};

// One operator of a net, bound to the blobs of a workspace. Input blobs must exist when it is made;
// output blobs are created.
class Operator {
 public:
  Operator(const OperatorDef& def, const NetEnvironment& environment);

  // Infers shapes again when an input changed, prepares the outputs, runs the kernel. Errors carry
  // the op's type and name, the worker with its device, and the blobs with their shapes.
  void run();

  // From now on `blobs`, if this operator makes them, and converted inputs take their memory from arenas. Both outlive
  // the operator.
  void share_memory(Arena& arena, const std::vector<BorrowedBlob*>& blobs);

  const OperatorDef& def() const { return def_; }
  DeviceContext& device() const { return *device_; }

 private:
  void run_kernel();
  void prepare_inputs();
  void infer();
  void borrow_converted(std::size_t i, std::size_t bytes);
  void borrow_outputs();
  void prepare_outputs();
  void return_converted();
  std::string describe() const;

  OperatorDef def_;
  const OpSchema& schema_;
  OpArgs args_;
  DeviceContext* device_;
  DType real_;
  std::vector<Blob*> inputs_;
  std::unique_ptr<Kernel> kernel_;
  KernelContext context_;
  std::function<void(const OperatorDef& op, double seconds)> on_op_;
  std::vector<Tensor> converted_;  // inputs in the layout that the kernel wants
  Arena* arena_ = nullptr;
  std::vector<BorrowedBlob*> borrowed_outputs_;  // per output; null for one with memory of its own
  std::vector<TensorInfo> input_infos_;
  std::vector<TensorInfo> output_infos_;
};

}  // namespace lockstep
