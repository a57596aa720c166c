// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/data_parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/golden_text.h"
#include "lockstep/base/error.h"
#include "lockstep/graph/print.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

// A model small enough to read: one layer with a normalisation and a loss on the classes of the boxes.
Losses add_small_model(Model& model) {
  const Batch batch = batch_blobs(model);
  ConvLayer conv;
  conv.name = "conv";
  conv.in_channels = 3;
  conv.out_channels = 4;
  conv.kernel = 3;
  conv.norm = {"GN", 2};
  conv.relu = true;
  const std::string features = add_conv(model, conv, batch.data);
  const std::string logits = add_fully_connected(model, {.name = "fc", .in_features = 36, .out_features = 2}, features);
  const std::string loss = model.scoped("loss");
  model.net().add("SoftmaxCrossEntropyLoss", {logits, batch.gt_classes}, {loss, model.scoped("prob")});
  return {{"loss", loss}};
}

Config small_config(int images, double weight_decay = 0.1) {
  Config config;
  config.solver.ims_per_batch = images;
  config.solver.weight_decay = weight_decay;
  return config;
}

TrainNets small_nets(const Config& config, int workers) {
  static const OpCatalog catalog = full_catalog();
  return build_train_nets(config, catalog, workers, add_small_model);
}

int count(const NetDef& net, const std::string& type) {
  return static_cast<int>(
      std::count_if(net.op().begin(), net.op().end(), [&](const OperatorDef& op) { return op.type() == type; }));
}

TEST(DataParallelGolden, OneWorkerHasNoAllReduce) {
  const TrainNets nets = small_nets(small_config(1), 1);
  EXPECT_EQ(count(nets.step, "LockstepAllReduce"), 0);
  EXPECT_EQ(count(nets.step, "FoldGradient"), 0);
  EXPECT_EQ(nets.accumulate[0].op_size(), 0);
  expect_golden_text("engine/golden", "step_one_worker.txt", net_text(nets.step));
  expect_golden_text("engine/golden", "init_one_worker.txt", net_text(nets.init));
}

TEST(DataParallelGolden, TwoWorkers) {
  const TrainNets nets = small_nets(small_config(2), 2);
  EXPECT_EQ(count(nets.step, "LockstepAllReduce"), static_cast<int>(nets.parameters.size()));
  expect_golden_text("engine/golden", "step_two_workers.txt", net_text(nets.step));
}

TEST(DataParallelGolden, ThreeWorkersWithTheTreeCollective) {
  Config config = small_config(4);  // worker 0 has two micro-batches
  config.solver.collective = "tree";
  const TrainNets nets = small_nets(config, 3);
  EXPECT_EQ(count(nets.step, "LockstepAllReduce"), 0);
  expect_golden_text("engine/golden", "step_tree_three_workers.txt", net_text(nets.step));
}

TEST(DataParallelGolden, WithoutWeightDecayThereIsNoWeightedSum) {
  const TrainNets nets = small_nets(small_config(1, 0.0), 1);
  EXPECT_EQ(count(nets.step, "WeightedSum"), 0);
  expect_golden_text("engine/golden", "step_no_decay.txt", net_text(nets.step));
}

TEST(DataParallelGolden, SeveralMicroBatchesFold) {
  const TrainNets nets = small_nets(small_config(3), 2);
  EXPECT_GT(nets.accumulate[0].op_size(), 0);  // micro-batches 0 and 1
  EXPECT_EQ(nets.accumulate[1].op_size(), 0);  // micro-batch 2 alone
  expect_golden_text("engine/golden", "accumulate_worker_0_of_2.txt", net_text(nets.accumulate[0]));
  expect_golden_text("engine/golden", "step_three_micro_batches.txt", net_text(nets.step));
}

// A worker alone ends with the root of the tree in its first slot: the update reads it there.
TEST(DataParallel, OneWorkerUpdatesFromTheRootOfTheTree) {
  const TrainNets nets = small_nets(small_config(4), 1);
  EXPECT_EQ(count(nets.step, "LockstepAllReduce"), 0);
  for (const OperatorDef& op : nets.step.op()) {
    if (op.type() != "SGDUpdate") continue;
    EXPECT_THAT(op.input(0), testing::EndsWith("_grad_node_0"));
  }
}

TEST(DataParallelGolden, InputsMoveToTheFront) {
  Model model("step", "simple", true);
  build_data_parallel_model(model, {{DeviceType::kCpu, 0}, {DeviceType::kCpu, 1}}, add_small_model);
  NetDef net = model.net().net();
  expect_golden_text("engine/golden", "inputs_before.txt", net_text(net));
  add_inputs(net, model.devices());
  EXPECT_EQ(net.op(0).type(), "DequeueBlobs");
  EXPECT_EQ(net.op(1).type(), "DequeueBlobs");
  expect_golden_text("engine/golden", "inputs_after.txt", net_text(net));
}

TEST(DataParallelGolden, TestModeBuildsOneDeviceWithoutGradients) {
  Config config;
  config.root_gpu_id = 1;
  config.model.resnets.depth = 18;
  config.model.resnets.norm = "GN";
  config.model.fpn.in_features = {"res2", "res3", "res4", "res5"};
  config.model.rpn.in_features = {"p2", "p3", "p4", "p5", "p6"};
  config.model.anchor_generator.sizes = {{32}, {64}, {128}, {256}, {512}};
  config.model.roi_heads.in_features = {"p2", "p3", "p4", "p5"};
  config.model.roi_box_head.num_fc = 2;
  const TestNets nets = build_test_nets(config);
  for (const OperatorDef& op : nets.net.op()) {
    EXPECT_FALSE(op.is_gradient_op());
    EXPECT_EQ(op.device_option().index(), 1);
    EXPECT_THAT(op.output(0), testing::StartsWith("cpu_1/"));
  }
  expect_golden_text("engine/golden", "test_net.txt", net_text(nets.net));
}

TEST(DataParallel, ReplicasThatDifferAreNamed) {
  const OpCatalog catalog = full_catalog();
  int replica = 0;
  const auto build = [&](Model& model) {
    model.parameter(replica++ == 0 ? "first" : "second", {2}, ParameterKind::kWeight, constant_filler(0));
    return Losses{};
  };
  try {
    build_train_nets(small_config(2), catalog, 2, build);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the replica on cpu:1 declares parameter 0 as 'second' [2], but the "
                                                 "first replica declared 'first' [2]"));
  }
}

TEST(DataParallel, AStepMustHoldWholeMicroBatches) {
  SolverConfig solver;
  solver.ims_per_batch = 7;
  solver.ims_per_micro_batch = 2;
  try {
    micro_batches_per_step(solver);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("SOLVER.IMS_PER_BATCH (7) is not a multiple of "
                                                 "SOLVER.IMS_PER_MICRO_BATCH (2); use for example 6"));
  }
}

}  // namespace
}  // namespace lockstep
