// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/worker_group.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <latch>
#include <mutex>
#include <optional>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_updated(const Parameter& parameter) { return parameter.trainable && parameter.kind != ParameterKind::kBuffer; }

}  // namespace

WorkerGroup::WorkerGroup(const TrainNets& nets, const OpCatalog& catalog, const std::vector<int>& threads,
                         std::uint64_t seed, std::function<void(const OperatorDef& op, double seconds)> on_op,
                         std::shared_ptr<ProcessGroup> processes)
    : nets_(nets) {
  LS_ASSERT(threads.size() == nets.ranges.size(), "{} thread counts for {} workers", threads.size(),
            nets.ranges.size());
  environment_.catalog = &catalog;
  environment_.workspace = &workspace_;
  environment_.seed = seed;
  environment_.describe_run = [this] { return run_note_; };
  const auto primitives = std::make_shared<PrimitiveCache>();
  for (std::size_t w = 0; w < threads.size(); ++w) {
    devices_.push_back(std::make_unique<CpuDevice>(static_cast<int>(w), threads[w], primitives));
    environment_.devices.push_back(devices_.back().get());
  }
  if (nets.placement.processes > 1) {
    LS_ASSERT(processes != nullptr, "nets for {} processes need their group", nets.placement.processes);
    devices_.push_back(std::make_unique<CpuDevice>(workers(), 1, primitives));
    environment_.devices.push_back(devices_.back().get());
    workspace_.create(kProcessGroupBlob).set_object(std::move(processes));
  }
  for (std::size_t d = 0; d < devices_.size(); ++d) arenas_.push_back(std::make_unique<Arena>());
  if (nets.step.type() == "dag") {
    lanes_ = std::make_unique<LanePool>(static_cast<int>(devices_.size()),
                                        [this](int lane) { devices_[static_cast<std::size_t>(lane)]->enter_thread(); });
    environment_.lanes = lanes_.get();
  }
  run_net_once(nets.init, environment_);
  environment_.on_op = std::move(on_op);  // of the steps alone
  results_.resize(static_cast<std::size_t>(nets.micro_batches));
}

WorkerGroup::~WorkerGroup() = default;

std::string WorkerGroup::blob_name(int worker, const std::string& name) const {
  return device_scope(devices_[static_cast<std::size_t>(worker)]->id()) + "/" + name;
}

void WorkerGroup::connect(const std::vector<std::shared_ptr<BlobsQueue>>& queues) {
  LS_ASSERT(static_cast<int>(queues.size()) == workers(), "{} queues for {} workers", queues.size(), workers());
  queues_ = queues;
  for (int w = 0; w < workers(); ++w) {
    workspace_.create(blob_name(w, "roi_blobs_queue")).set_object(queues[static_cast<std::size_t>(w)]);
    workspace_.feed(blob_name(w, "micro_batch_index"), Tensor::scalar<std::int32_t>(0));
  }
  if (share_memory_) {
    for (const auto& arena : arenas_) environment_.arenas.push_back(arena.get());
  }
  for (const NetDef& net : nets_.accumulate) accumulate_.push_back(make_net(net, environment_));
  step_ = make_net(nets_.step, environment_);
}

const std::vector<MicroBatchResult>& WorkerGroup::run_step(std::int64_t step, float learning_rate) {
  run_note_ = fmt::format("step {}", step);
  for (int w = 0; w < workers(); ++w) {
    workspace_.get(blob_name(w, "lr")).tensor().data<float>()[0] = learning_rate;
  }
  const auto start = std::chrono::steady_clock::now();
  if (lanes_) {
    run_on_lanes();
  } else {
    for (int w = 0; w < workers(); ++w) accumulate(w);
  }
  times_.accumulate = seconds_since(start);

  const auto last = std::chrono::steady_clock::now();
  for (int w = 0; w < workers(); ++w) {
    workspace_.get(blob_name(w, "micro_batch_index")).tensor().data<std::int32_t>()[0] =
        nets_.ranges[static_cast<std::size_t>(w)].end - 1;
  }
  step_->run();
  for (int w = 0; w < workers(); ++w) record(w, nets_.ranges[static_cast<std::size_t>(w)].end - 1);
  times_.step = seconds_since(last);
  return results_;
}

// All micro-batches of one worker but its last, which belongs to the step net.
void WorkerGroup::accumulate(int worker) {
  const MicroBatchRange range = nets_.ranges[static_cast<std::size_t>(worker)];
  for (int index = range.begin; index + 1 < range.end; ++index) {
    workspace_.get(blob_name(worker, "micro_batch_index")).tensor().data<std::int32_t>()[0] = index;
    accumulate_[static_cast<std::size_t>(worker)]->run();
    record(worker, index);
  }
}

void WorkerGroup::run_on_lanes() {
  std::latch done(workers());
  std::mutex mutex;
  std::optional<Error> first;
  for (int w = 0; w < workers(); ++w) {
    lanes_->run(w, [&, w] {
      try {
        accumulate(w);
      } catch (const Error& error) {
        {
          std::lock_guard lock(mutex);
          if (!first) first = error;
        }
        close_queues();
      }
      done.count_down();
    });
  }
  done.wait();
  if (first) throw Error(*first);
}

// After an error the failed worker takes nothing more, its queue fills up, and the loader, which delivers in global
// order, cannot get past it: a worker behind it would wait for its micro-batches for ever.
void WorkerGroup::close_queues() {
  for (const auto& queue : queues_) queue->close();
}

void WorkerGroup::record(int worker, int index) {
  MicroBatchResult& result = results_[static_cast<std::size_t>(index)];
  const Tensor& samples = workspace_.fetch(blob_name(worker, "sample_ids"));
  result.sample_ids.assign(samples.data<std::int64_t>(), samples.data<std::int64_t>() + samples.size());
  result.losses.clear();
  for (const auto& [name, blob] : nets_.losses[static_cast<std::size_t>(worker)]) {
    result.losses.push_back(workspace_.fetch(blob).data<float>()[0]);
  }
}

const Tensor& WorkerGroup::parameter(const std::string& name) const { return workspace_.fetch(blob_name(0, name)); }

Tensor& WorkerGroup::parameter(const std::string& name, int worker) {
  return workspace_.get(blob_name(worker, name)).tensor();
}

bool WorkerGroup::has_blob(const std::string& name) const { return workspace_.has(blob_name(0, name)); }

void WorkerGroup::set_parameter(const std::string& name, const Tensor& value) {
  for (int w = 0; w < workers(); ++w) {
    Tensor& blob = parameter(name, w);
    LS_CHECK(kData, blob.dtype() == value.dtype() && blob.shape() == value.shape(),
             "tensor '{}' is {}, but the model wants {}", name, value.describe(), blob.describe());
    blob.copy_from(value);
  }
}

void WorkerGroup::scale_momentum(float factor) {
  for (const Parameter& parameter : nets_.parameters) {
    if (!is_updated(parameter)) continue;
    for (int w = 0; w < workers(); ++w) {
      Tensor& momentum = workspace_.get(blob_name(w, parameter.name + "_momentum")).tensor();
      float* const values = momentum.data<float>();
      std::transform(values, values + momentum.storage_size(), values,
                     [factor](float value) { return value * factor; });
    }
  }
}

MemoryUse WorkerGroup::memory() const {
  MemoryUse memory;
  for (const std::string& name : workspace_.names()) {
    memory_part(memory, nets_, name) += workspace_.fetch(name).capacity_bytes();
  }
  for (const auto& arena : arenas_) memory.arena += arena->free_bytes();
  for (const auto& device : devices_) memory.scratch += device->scratch().bytes();
  return memory;
}

void WorkerGroup::poison_memory(unsigned char pattern) {
  for (const auto& arena : arenas_) arena->poison(pattern);
}

void WorkerGroup::check_replicas() const {
  const auto check = [&](const std::string& name) {
    const Tensor& first = workspace_.fetch(blob_name(0, name));
    for (int w = 1; w < workers(); ++w) {
      const Tensor& other = workspace_.fetch(blob_name(w, name));
      LS_ASSERT(std::memcmp(first.raw(), other.raw(), first.bytes()) == 0,
                "the lockstep law is broken: '{}' of worker {} differs from worker 0 (at {})", name, w, run_note_);
    }
  };
  for (const Parameter& parameter : nets_.parameters) {
    check(parameter.name);
    if (is_updated(parameter)) check(parameter.name + "_momentum");
  }
}

}  // namespace lockstep
