// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lockstep/collective/all_reduce.h"
#include "lockstep/collective/reduction_tree.h"
#include "lockstep/config/config.h"
#include "lockstep/graph/catalog.h"
#include "lockstep/modeling/batch.h"
#include "lockstep/modeling/box_head.h"
#include "lockstep/modeling/model.h"
#include "lockstep/solver/parameter_update.h"

namespace lockstep {

// Builds the model on one device, under the scopes that are open, and returns its losses.
using SingleDeviceBuilder = std::function<Losses(Model&)>;

// Which of the W workers run in this process: contiguous, balanced shares by rank.
struct Placement {
  int workers = 1;    // W, over all processes
  int processes = 1;  // at most W
  int rank = 0;

  MicroBatchRange local_workers() const;  // begin..end-1 of the W
};

// The blob with the process group, and the device whose lane speaks with the other processes; behind the local workers.
inline constexpr const char* kProcessGroupBlob = "process_group";

// The nets of a data-parallel training run (docs/architecture.md shows one step in time).
struct TrainNets {
  Placement placement;
  NetDef init;  // fills parameters, momentum and constants of all workers; runs once
  std::vector<NetDef>
      accumulate;  // per worker: dequeue, forward, backward, fold; empty ops when it has one micro-batch
  NetDef step;     // all workers: the same once more, then all-reduce and update
  std::vector<Parameter> parameters;
  std::vector<ParameterRule> rules;
  std::vector<Losses> losses;           // per worker
  std::vector<MicroBatchRange> ranges;  // micro-batches of each worker of this process
  int micro_batches = 1;                // B
};

// The net that detects, on one device.
struct TestNets {
  NetDef init;
  NetDef net;
  Detections detections;
  std::vector<Parameter> parameters;
};

// B = SOLVER.IMS_PER_BATCH / SOLVER.IMS_PER_MICRO_BATCH; kConfig when that is not a whole number.
int micro_batches_per_step(const SolverConfig& solver);

// Runs `build` for each device under its name and device scope, and guards its losses with RequireFinite.
std::vector<Losses> build_data_parallel_model(Model& model, const std::vector<DeviceId>& devices,
                                              const SingleDeviceBuilder& build);

// Appends the ops that fold each worker's gradients into tree nodes (only for workers with several micro-batches).
void add_fold_ops(Model& model, const std::map<std::string, std::string>& gradients, int micro_batches,
                  const std::vector<MicroBatchRange>& ranges);

// Appends one all-reduce per trainable parameter over all devices; nothing for one worker.
void add_all_reduce_ops(Model& model, const std::map<std::string, std::string>& gradients, int micro_batches,
                        const std::vector<MicroBatchRange>& ranges, const AllReduceFunction& reduce);

// The same over several processes: one ProcessAllReduce per bucket of at most `bucket_bytes` bytes of gradients (one
// gradient at least), in reverse order of creation, so that a bucket is on its way while backward computes the next.
// `order` as the operator's.
void add_process_all_reduce_ops(Model& model, const std::map<std::string, std::string>& gradients, int micro_batches,
                                const std::vector<MicroBatchRange>& ranges, const Placement& placement,
                                std::int64_t bucket_bytes, const std::string& order);

// Appends one DequeueBlobs per device, which fills the blobs of its Batch from "<scope>/roi_blobs_queue", and moves
// them in front of all other ops: appended, they would run after their readers and every step would see the data of
// the step before.
void add_inputs(NetDef& net, const std::vector<DeviceId>& devices);

// All of it: the nets for the workers of one process on cpu:0, cpu:1, ... kConfig when the workers of all processes
// outnumber the micro-batches, or the processes the workers.
TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, const Placement& placement);
TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, const Placement& placement,
                           const SingleDeviceBuilder& build);
// In one process.
TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, int workers);
TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, int workers,
                           const SingleDeviceBuilder& build);

// The test branch: one device only (ROOT_GPU_ID), no gradients, no updates, no queue: the caller feeds `data` and
// `im_info`.
TestNets build_test_nets(const Config& config);

// What the init net makes, for checking the nets that read it; the trainer's own blobs included.
std::map<std::string, TensorInfo> parameter_infos(const TrainNets& nets, const OpCatalog& catalog);

// The operators of every room.
OpCatalog full_catalog();

}  // namespace lockstep
