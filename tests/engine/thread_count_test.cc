// SPDX-License-Identifier: Apache-2.0
// Negative control of the lockstep law: the number of compute threads of a worker decides bits, which is why it
// belongs to the recipe and is compared at resume (docs/numerics.md).
#include <gtest/gtest.h>

#include "lockstep/engine/worker_group.h"
#include "lockstep/io/digest.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

constexpr std::int64_t kSide = 32;

// Convolutions of the shapes whose weight gradients oneDNN sums in another order with two threads.
Losses add_pointwise_model(Model& model) {
  const Batch batch = batch_blobs(model);
  const auto pointwise = [&](const std::string& name, int in, int out, const std::string& input) {
    ConvLayer layer;
    layer.name = name;
    layer.in_channels = in;
    layer.out_channels = out;
    layer.relu = true;
    return add_conv(model, layer, input);
  };
  const std::string narrow = pointwise("narrow", 64, 64, batch.data);
  const std::string wide = pointwise("wide", 64, 256, narrow);
  const std::string small = pointwise("small", 256, 4, wide);
  const std::string logits =
      add_fully_connected(model, {.name = "fc", .in_features = 4 * kSide * kSide, .out_features = 2}, small);
  model.net().add("SoftmaxCrossEntropyLoss", {logits, batch.gt_classes},
                  {model.scoped("loss"), model.scoped("probabilities")});
  return {{"loss", model.scoped("loss")}};
}

std::vector<Tensor> micro_batch(std::int64_t sample) {
  Tensor data(DType::kF32, {1, 64, kSide, kSide});
  for (std::int64_t i = 0; i < data.size(); ++i) {
    data.data<float>()[i] = static_cast<float>((i * 7919 + sample * 104729) % 1009) / 1009.0f - 0.5f;
  }
  std::vector<Tensor> record;
  record.push_back(std::move(data));
  record.push_back(Tensor::from<float>({1, 3}, {kSide, kSide, 1}));
  record.push_back(Tensor::from<float>({1, 4}, {0, 0, 1, 1}));
  record.push_back(Tensor::from<std::int32_t>({1}, {static_cast<std::int32_t>(sample % 2)}));
  record.push_back(Tensor::from<std::int32_t>({1}, {0}));
  record.push_back(Tensor::from<std::int32_t>({1}, {1}));
  record.push_back(Tensor::from<std::int64_t>({1}, {sample}));
  return record;
}

// The parameters after three steps of two micro-batches on workers with these numbers of threads.
std::string train(const std::vector<int>& threads) {
  constexpr int kSteps = 3;
  static const OpCatalog catalog = full_catalog();
  const int workers = static_cast<int>(threads.size());
  Config config;
  config.solver.ims_per_batch = 2;
  const TrainNets nets = build_train_nets(config, catalog, workers, add_pointwise_model);
  WorkerGroup group(nets, catalog, threads, 3);
  std::vector<std::shared_ptr<BlobsQueue>> queues;
  for (const MicroBatchRange& range : nets.ranges) {
    queues.push_back(std::make_shared<BlobsQueue>(2 * kSteps));
    for (int step = 0; step < kSteps; ++step) {
      for (int index = range.begin; index < range.end; ++index) queues.back()->push(micro_batch(step * 2 + index));
    }
  }
  group.connect(queues);
  for (int step = 0; step < kSteps; ++step) group.run_step(step, 0.01f);
  group.check_replicas();  // the workers still agree with each other: only another run shows the difference
  std::vector<std::pair<std::string, const Tensor*>> parameters;
  for (const Parameter& parameter : nets.parameters) {
    parameters.emplace_back(parameter.name, &group.parameter(parameter.name));
  }
  return digest(parameters);
}

TEST(ThreadCountControl, OneThreadEachFollowsTheLaw) {
  const std::string law = train({1, 1});
  EXPECT_EQ(train({1, 1}), law);
  EXPECT_EQ(train({1}), law);
}

TEST(ThreadCountControl, AWorkerWithAnotherThreadCountBreaksIt) { EXPECT_NE(train({1, 2}), train({1, 1})); }

}  // namespace
}  // namespace lockstep
