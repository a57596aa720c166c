// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/base/lane_pool.h"
#include "lockstep/collective/process_group.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/step_plan.h"
#include "lockstep/graph/net.h"
#include "lockstep/tensor/blobs_queue.h"

namespace lockstep {

// What one micro-batch gave: its samples and its losses, in the order of TrainNets::losses.
struct MicroBatchResult {
  std::vector<std::int64_t> sample_ids;
  std::vector<float> losses;  // each scaled, so that the sum over the micro-batches of a step is their mean
};

// Seconds spent in the stages of the last step, on the calling thread's clock.
struct StepTimes {
  double accumulate = 0;
  double step = 0;
};

// The workers of this process in a training run: their devices, blobs and nets.
class WorkerGroup {
 public:
  // One device per worker with the given numbers of threads. Runs the init net: all replicas start equal.
  // `nets` and `catalog` must outlive the group. Blobs that only live inside a run share memory (arena.h).
  // `on_op` is NetEnvironment's: called from the threads of all devices. `processes` when `nets` were made for several.
  WorkerGroup(const TrainNets& nets, const OpCatalog& catalog, const std::vector<int>& threads, std::uint64_t seed,
              std::function<void(const OperatorDef& op, double seconds)> on_op = {},
              std::shared_ptr<ProcessGroup> processes = nullptr);
  ~WorkerGroup();

  int workers() const { return static_cast<int>(nets_.ranges.size()); }
  Workspace& workspace() { return workspace_; }

  // Connects each worker to its queue of micro-batches and makes the nets. Once, before the first step.
  void connect(const std::vector<std::shared_ptr<BlobsQueue>>& queues);

  // Runs one step with this learning rate; `step` is named in errors. Results by global micro-batch index, those of
  // other processes empty.
  const std::vector<MicroBatchResult>& run_step(std::int64_t step, float learning_rate);
  const StepTimes& times() const { return times_; }

  // The replica of worker 0.
  const Tensor& parameter(const std::string& name) const;
  Tensor& parameter(const std::string& name, int worker);
  // Gives every worker this value. kData when the shape differs.
  void set_parameter(const std::string& name, const Tensor& value);
  bool has_blob(const std::string& name) const;
  // Multiplies the momentum of every parameter of every worker (momentum_correction).
  void scale_momentum(float factor);

  // kInternal, naming worker and parameter, when replicas differ in a bit of a parameter or momentum.
  void check_replicas() const;

  // Bytes that the blobs and devices of all workers hold now. Between two steps.
  MemoryUse memory() const;
  // Once, before connect(): off gives every blob memory of its own, as nets without the liveness pass have it.
  void share_memory(bool on) { share_memory_ = on; }
  // For tests: what nets take from the arenas is filled with this byte first.
  void poison_memory(unsigned char pattern);

 private:
  std::string blob_name(int worker, const std::string& name) const;
  void accumulate(int worker);
  void record(int worker, int index);
  void run_on_lanes();
  void close_queues();

  const TrainNets& nets_;
  // One per worker, and one for the communication with other processes.
  std::vector<std::unique_ptr<CpuDevice>> devices_;
  Workspace workspace_;
  std::vector<std::unique_ptr<Arena>> arenas_;  // per device
  bool share_memory_ = true;
  std::string run_note_;
  NetEnvironment environment_;
  std::unique_ptr<LanePool> lanes_;  // null when the executor is simple
  std::vector<std::unique_ptr<Net>> accumulate_;
  std::unique_ptr<Net> step_;
  std::vector<std::shared_ptr<BlobsQueue>> queues_;  // shared with the loader
  std::vector<MicroBatchResult> results_;
  StepTimes times_;
};

}  // namespace lockstep
