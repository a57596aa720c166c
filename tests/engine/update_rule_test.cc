// SPDX-License-Identifier: Apache-2.0
// Two steps of the `detectron` rule through the nets of a training run, against numbers computed by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "lockstep/engine/worker_group.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

// Two pixels through a normalisation and one fully connected layer, to the L1 distance of four numbers from
// targets. The slope of the loss in each output is 1 or -1, so that every gradient can be written down.
Losses add_model(Model& model) {
  const Batch batch = batch_blobs(model);
  ConvLayer conv;
  conv.name = "conv";
  conv.in_channels = 3;
  conv.out_channels = 1;
  conv.norm = {"GN", 1};
  const std::string pixels = add_conv(model, conv, batch.data);
  const std::string deltas = add_fully_connected(model, {.name = "fc", .in_features = 2, .out_features = 4}, pixels);
  model.net().add("BoxRegressionLoss", {deltas, batch.gt_boxes, batch.gt_classes}, {model.scoped("loss")},
                  {arg("beta", 0.0), arg("fg_low", 1), arg("fg_high", 2), arg("class_agnostic", 1),
                   arg("normalizer", 1.0), arg("scale", 1.0)});
  return {{"loss", model.scoped("loss")}};
}

// The first output is above its target, the others are below. The pixels are -1 and 1 for a convolution of ones.
std::vector<Tensor> micro_batch() {
  std::vector<Tensor> record;
  record.push_back(Tensor::from<float>({1, 3, 1, 2}, {-1000, 1000, 0, 0, 0, 0}));
  record.push_back(Tensor::from<float>({1, 3}, {1, 2, 1}));
  record.push_back(Tensor::from<float>({1, 4}, {-100, 100, 100, 100}));
  record.push_back(Tensor::from<std::int32_t>({1}, {1}));
  record.push_back(Tensor::from<std::int32_t>({1}, {0}));
  record.push_back(Tensor::from<std::int32_t>({1}, {1}));
  record.push_back(Tensor::from<std::int64_t>({1}, {0}));
  return record;
}

class DetectronRule : public testing::Test {
 protected:
  void run(double weight_decay, double weight_decay_norm) {
    Config config;
    config.solver.ims_per_batch = 1;
    config.solver.update_rule = "detectron";
    config.solver.momentum = 0.5;
    config.solver.weight_decay = weight_decay;
    config.solver.weight_decay_norm = weight_decay_norm;
    nets_ = build_train_nets(config, catalog_, 1, add_model);
    workers_ = std::make_unique<WorkerGroup>(nets_, catalog_, std::vector<int>{1}, 3);
    workers_->set_parameter("conv.weight", Tensor::from<float>({1, 3, 1, 1}, {1, 1, 1}));
    workers_->set_parameter("fc.weight", Tensor::from<float>({4, 2}, {1, 2, 0, 0, 0, 0, 0, 0}));
    auto queue = std::make_shared<BlobsQueue>(2);
    for (int step = 0; step < 2; ++step) queue->push(micro_batch());
    workers_->connect({queue});
  }

  void expect(const std::string& name, const std::vector<double>& wanted) const {
    const Tensor& found = workers_->parameter(name);
    ASSERT_EQ(found.size(), static_cast<std::int64_t>(wanted.size())) << name;
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found.data<float>()[i], wanted[i], 2e-6) << name << i;
  }

  OpCatalog catalog_ = full_catalog();
  TrainNets nets_;
  std::unique_ptr<WorkerGroup> workers_;
};

// Step 1, rate 0.1. The normalised pixels are h = (-1, 1) (gamma 1, beta 0).
//   dW row 0 = h, rows 1..3 = -h;  db = (1, -1, -1, -1);  dh = row 0 of W = (1, 2)
//   dgamma = -1 + 2 = 1;  dbeta = 1 + 2 = 3;  dconv = 0 (the normalisation undoes its scale)
// With decay 0.2 of weights and 0.3 of gamma, biases (beta too) twice the gradient and no decay:
//   W: g = (-1 + 0.2, 1 + 0.4) = (-0.8, 1.4), v = (-0.08, 0.14), W = (1.08, 1.86); rows 1..3: v = (0.1, -0.1)
//   b: v = 0.2 (1, -1, -1, -1);  gamma: v = 0.1 * 1.3 = 0.13, gamma = 0.87;  beta: v = 0.6, beta = -0.6
//   conv: g = 0.2, v = 0.02, conv = 0.98
TEST_F(DetectronRule, TwoStepsByHand) {
  run(0.2, 0.3);
  workers_->run_step(0, 0.1f);
  expect("fc.weight", {1.08, 1.86, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1});
  expect("fc.bias", {-0.2, 0.2, 0.2, 0.2});
  expect("conv.norm.weight", {0.87});
  expect("conv.norm.bias", {-0.6});
  expect("conv.weight", {0.98, 0.98, 0.98});
  expect("fc.weight_momentum", {-0.08, 0.14, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1});
  expect("conv.norm.bias_momentum", {0.6});

  // Step 2, rate 0.01: the rate stands inside the velocity, so half of the old step comes along unscaled.
  // h = 0.87 (-1, 1) - 0.6 = (-1.47, 0.27);  dh = row 0 - rows 1..3 = (1.08 + 0.3, 1.86 - 0.3) = (1.38, 1.56)
  //   W row 0: g = (-1.47 + 0.216, 0.27 + 0.372) = (-1.254, 0.642), v = (-0.01254 - 0.04, 0.00642 + 0.07)
  //   W rows 1..3: g = (1.47 - 0.02, -0.27 + 0.02) = (1.45, -0.25), v = (0.0145 + 0.05, -0.0025 - 0.05)
  //   b: v = 0.02 + 0.1;  gamma: g = 0.18 + 0.3 * 0.87 = 0.441, v = 0.00441 + 0.065
  //   beta: v = 0.01 * 2 * 2.94 + 0.3 = 0.3588;  conv: v = 0.01 * 0.2 * 0.98 + 0.01 = 0.01196
  workers_->run_step(1, 0.01f);
  expect("fc.weight", {1.13254, 1.78358, -0.1645, 0.1525, -0.1645, 0.1525, -0.1645, 0.1525});
  expect("fc.bias", {-0.32, 0.32, 0.32, 0.32});
  expect("conv.norm.weight", {0.80059});
  expect("conv.norm.bias", {-0.9588});
  expect("conv.weight", {0.96804, 0.96804, 0.96804});
  expect("conv.norm.bias_momentum", {0.3588});
}

// Without decay of gamma (Detectron's default) and of weights, only the gradients move them.
TEST_F(DetectronRule, WithoutDecay) {
  run(0, 0);
  workers_->run_step(0, 0.1f);
  expect("fc.weight", {1.1, 1.9, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1});
  expect("fc.bias", {-0.2, 0.2, 0.2, 0.2});
  expect("conv.norm.weight", {0.9});
  expect("conv.norm.bias", {-0.6});
  expect("conv.weight", {1, 1, 1});
}

}  // namespace
}  // namespace lockstep
