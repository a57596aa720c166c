// SPDX-License-Identifier: Apache-2.0
#include "lockstep/simulate/step_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "lockstep/base/error.h"
#include "lockstep/graph/net_builder.h"

namespace lockstep {
namespace {

using enum CollectiveAlgorithm;

constexpr int kGradients = 20;
constexpr double kBackward = 3e-3, kUpdate = 0.5e-3, kAccumulate = 0.1, kBytes = 4e6;

// Two workers with a chain of gradients, each all-reduced and used for an update.
NetDef chain() {
  NetBuilder b("step", "dag");
  for (const std::string device : {"0", "1"}) {
    const auto scope = b.device_scope({DeviceType::kCpu, device == "0" ? 0 : 1});
    for (int g = 0; g < kGradients; ++g) {
      const std::string number = std::to_string(g) + "_" + device;
      const std::string before = g == 0 ? "loss" + device : "d" + std::to_string(g - 1) + "_" + device;
      b.add("FCGradient", {before}, {"d" + number, "g" + number}).set_is_gradient_op(true);
    }
  }
  for (int g = 0; g < kGradients; ++g) {
    const std::string name = "g" + std::to_string(g);
    const auto scope = b.device_scope({DeviceType::kCpu, g % 2});
    b.add("LockstepAllReduce", {name + "_0", name + "_1"}, {name + "_0", name + "_1"}, {}, name + "_all_reduce");
  }
  for (const std::string device : {"0", "1"}) {
    const auto scope = b.device_scope({DeviceType::kCpu, device == "0" ? 0 : 1});
    for (int g = 0; g < kGradients; ++g) {
      b.add("Update", {"g" + std::to_string(g) + "_" + device}, {"w" + std::to_string(g) + "_" + device});
    }
  }
  return b.net();
}

StepCosts costs_of(const NetDef& net, double reduce_seconds = 0) {
  StepCosts costs;
  costs.accumulate_seconds = kAccumulate;
  for (const OperatorDef& op : net.op()) {
    const bool reduces = op.type() == "LockstepAllReduce";
    costs.op_seconds.push_back(reduces ? reduce_seconds : op.type() == "Update" ? kUpdate : kBackward);
    costs.reduced_bytes.push_back(reduces ? kBytes : 0);
  }
  return costs;
}

// The network works through the messages one after the other. When a message takes longer than a gradient, it is
// behind from the first gradient on; when it is shorter, only the last one sticks out.
double closed_form(double message) {
  if (message >= kBackward) {
    return kAccumulate + kBackward + kGradients * message + kUpdate;  // each update fits into the next message
  }
  // All gradients, then the updates, the last of which waits for its message.
  return kAccumulate + kGradients * kBackward + std::max((kGradients - 1) * kUpdate, message) + kUpdate;
}

TEST(StepModel, FollowsTheClosedFormForManyWorkers) {
  const NetDef net = chain();
  const StepModel model(net, costs_of(net), 0);
  EXPECT_EQ(model.messages(), static_cast<std::size_t>(kGradients));
  EXPECT_DOUBLE_EQ(model.bytes(), kGradients * kBytes);
  const double compute = kAccumulate + kGradients * (kBackward + kUpdate);
  for (const int workers : {2, 8, 64, 1024, 65536}) {
    for (const double bandwidth : {0.5e9, 2e9, 50e9}) {
      const Cluster cluster{workers, 8, {2e-6, bandwidth}, {1e-6, 20e9}};
      for (const auto algorithm : {kRing, kTree, kHierarchical}) {
        const double message = all_reduce_seconds(algorithm, kBytes, cluster);
        const SimulatedStep step = model.run(algorithm, cluster);
        const std::string what = std::string(algorithm_name(algorithm)) + " of " + std::to_string(workers);
        EXPECT_NEAR(step.compute_seconds, compute, 1e-9) << what;
        EXPECT_NEAR(step.communication_seconds, kGradients * message, 1e-9) << what;
        EXPECT_NEAR(step.seconds, closed_form(message), 1e-9) << what;
        EXPECT_NEAR(step.efficiency(), compute / closed_form(message), 1e-9) << what;
      }
    }
  }
}

TEST(StepModel, BucketsSendFewerMessagesOfTheSameBytes) {
  const NetDef net = chain();
  const StepModel apart(net, costs_of(net), 0), together(net, costs_of(net), 3.5 * kBytes),
      one(net, costs_of(net), 1e12);
  EXPECT_EQ(together.messages(), 5u);  // of four gradients each
  EXPECT_EQ(one.messages(), 1u);
  EXPECT_DOUBLE_EQ(together.bytes(), apart.bytes());
  const Cluster latency{1024, 1, {1e-6, 1e30}, {}};
  EXPECT_NEAR(together.run(kRing, latency).communication_seconds, 5 * 2046e-6, 1e-9);
  EXPECT_NEAR(apart.run(kRing, latency).communication_seconds, 20 * 2046e-6, 1e-9);
  // One bucket is sent when all gradients are there, and all updates wait for it.
  const Cluster slow{64, 1, {0, 1e9}, {}};
  const double message = all_reduce_seconds(kRing, kGradients * kBytes, slow);
  EXPECT_NEAR(one.run(kRing, slow).seconds, kAccumulate + kGradients * (kBackward + kUpdate) + message, 1e-9);
}

// Both workers go through their gradients side by side, and share the all-reduces.
TEST(StepModel, InProcessTheAllReduceTakesTheLanesOfTheWorkers) {
  const NetDef net = chain();
  const StepCosts costs = costs_of(net, 1e-3);
  EXPECT_NEAR(in_process_seconds(net, costs), kAccumulate + kGradients * (kBackward + kUpdate) + kGradients / 2 * 1e-3,
              1e-9);
  NetDef simple = net;
  simple.set_type("simple");
  EXPECT_NEAR(in_process_seconds(simple, costs),
              kAccumulate + 2 * kGradients * (kBackward + kUpdate) + kGradients * 1e-3, 1e-9);
}

TEST(StepModel, ANetOfOneWorkerIsRefused) {
  NetBuilder b("step", "dag");
  b.add("Relu", {"x"}, {"y"});
  EXPECT_THROW(StepModel(b.net(), {{1.0}, {0.0}, 0}, 0), Error);
}

}  // namespace
}  // namespace lockstep
