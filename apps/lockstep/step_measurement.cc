// SPDX-License-Identifier: Apache-2.0
#include "step_measurement.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "bench.h"
#include "bench_setup.h"
#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/engine/worker_group.h"

namespace lockstep::app {
namespace {

constexpr float kLearningRate = 0;

// Micro-batches of a few steps, decoded before the clock runs and given to the workers again and again.
class PreparedData {
 public:
  PreparedData(const MinibatchBuilder& data, const std::vector<MicroBatchRange>& ranges) : ranges_(ranges) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t step = 0; step < kSteps; ++step) {
      auto& micro_batches = steps_.emplace_back();
      for (std::int64_t index = 0; index < data.micro_batches_per_step(); ++index) {
        micro_batches.push_back(data.build(step, index));
      }
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    build_seconds_ = passed.count() / static_cast<double>(kSteps * data.micro_batches_per_step());
    for (const MicroBatchRange& range : ranges_) {
      queues_.push_back(std::make_shared<BlobsQueue>(static_cast<std::size_t>(range.size())));
    }
  }
  const std::vector<std::shared_ptr<BlobsQueue>>& queues() const { return queues_; }
  double build_seconds() const { return build_seconds_; }
  InputSizes largest() const {
    InputSizes sizes;
    for (const auto& micro_batches : steps_) {
      for (const std::vector<Tensor>& record : micro_batches) grow_to(sizes, record);
    }
    return sizes;
  }
  void feed(std::int64_t step) {
    const auto& micro_batches = steps_[static_cast<std::size_t>(step % kSteps)];
    for (std::size_t w = 0; w < ranges_.size(); ++w) {
      for (int index = ranges_[w].begin; index < ranges_[w].end; ++index) {
        std::vector<Tensor> copy;
        for (const Tensor& tensor : micro_batches[static_cast<std::size_t>(index)]) copy.push_back(tensor.clone());
        queues_[w]->push(std::move(copy));
      }
    }
  }

 private:
  static constexpr std::int64_t kSteps = 4;
  std::vector<MicroBatchRange> ranges_;
  double build_seconds_ = 0;
  std::vector<std::vector<std::vector<Tensor>>> steps_;
  std::vector<std::shared_ptr<BlobsQueue>> queues_;
};

}  // namespace

double StepMeasurement::step_seconds() const { return median(seconds); }

int StepMeasurement::runs(std::size_t op) const {
  const StepClock::OpTime& timed = clock.ops()[op];
  if (timed.stage == Stage::kAllReduce || timed.stage == Stage::kUpdate) return 1;
  return nets.ranges[static_cast<std::size_t>(timed.device)].size();
}

double StepMeasurement::op_seconds(std::size_t op) const { return median(clock.ops()[op].per_step); }

StepMeasurement measure_steps(Config config, const OpCatalog& catalog, const StepTrial& trial, Console& console) {
  LS_CHECK(kConfig, trial.workers >= 0 && trial.threads >= 1 && trial.steps >= 1 && trial.warm_up >= 0,
           "--workers, --threads and --steps must be at least 1, --warm-up at least 0");
  const auto data = open_training_data(config);
  const int micro_batches = micro_batches_per_step(config.solver);
  const int count =
      trial.workers > 0 ? trial.workers : std::clamp(available_cpus().cores / trial.threads, 1, micro_batches);
  StepMeasurement measured(build_train_nets(config, catalog, count));
  measured.images_per_step = static_cast<double>(config.solver.ims_per_batch);
  WorkerGroup workers(measured.nets, catalog, std::vector<int>(static_cast<std::size_t>(count), trial.threads),
                      effective_seed(config),
                      [&](const OperatorDef& op, double seconds) { measured.clock.add(op, seconds); });
  PreparedData prepared(*data, measured.nets.ranges);
  workers.connect(prepared.queues());
  for (int step = 0; step < trial.warm_up + trial.steps; ++step) {
    prepared.feed(step);
    const auto start = std::chrono::steady_clock::now();
    workers.run_step(step, kLearningRate);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    console.status(fmt::format("step {} of {}", step + 1, trial.warm_up + trial.steps));
    if (step < trial.warm_up) {
      measured.clock.forget_step();
      continue;
    }
    measured.seconds.push_back(seconds);
    measured.clock.next_step();
  }
  measured.build_seconds = prepared.build_seconds();
  measured.memory = workers.memory();
  measured.plan = plan_step(measured.nets, catalog, prepared.largest(), trial.threads);
  return measured;
}

}  // namespace lockstep::app
