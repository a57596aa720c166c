// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "lockstep/graph/net.h"
#include "lockstep/graph/net_builder.h"
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

class TestDevice : public DeviceContext {
 public:
  using DeviceContext::DeviceContext;
  void enter_thread() override {}
};

// Two steps on one element, by hand: g = 0.5 then -1, lr = 0.1, mu = 0.9, p = 2, m = 0.
struct Fixture {
  OpCatalog catalog;
  TestDevice device{DeviceId{}};
  Workspace workspace;

  Fixture() {
    register_solver_ops(catalog);
    workspace.feed("m", Tensor::scalar(0.0f));
    workspace.feed("lr", Tensor::scalar(0.1f));
    workspace.feed("p", Tensor::scalar(2.0f));
  }
  void step(const std::string& type, float gradient, const std::vector<Argument>& args) {
    workspace.feed("g", Tensor::scalar(gradient));
    NetBuilder net("net");
    std::vector<std::string> outputs = {"m", "p"};
    if (type == "MomentumSGDUpdate") outputs.insert(outputs.begin(), "g");
    net.add(type, {"g", "m", "lr", "p"}, outputs, args);
    NetEnvironment environment;
    environment.catalog = &catalog;
    environment.workspace = &workspace;
    environment.devices = {&device};
    run_net_once(net.net(), environment);
  }
  float value(const std::string& name) { return workspace.fetch(name).data<float>()[0]; }
};

TEST(MomentumSGDUpdate, TheLearningRateIsInsideTheVelocity) {
  Fixture run;
  run.step("MomentumSGDUpdate", 0.5f, {arg("momentum", 0.9)});
  EXPECT_FLOAT_EQ(run.value("m"), 0.05f);
  EXPECT_FLOAT_EQ(run.value("p"), 1.95f);
  run.step("MomentumSGDUpdate", -1.0f, {arg("momentum", 0.9)});
  EXPECT_FLOAT_EQ(run.value("m"), -0.055f);
  EXPECT_FLOAT_EQ(run.value("g"), -0.055f);  // the gradient blob holds the step
  EXPECT_FLOAT_EQ(run.value("p"), 2.005f);
}

TEST(MomentumSGDUpdate, Nesterov) {
  Fixture run;
  const std::vector<Argument> args = {arg("momentum", 0.9), arg("nesterov", 1)};
  run.step("MomentumSGDUpdate", 0.5f, args);
  EXPECT_FLOAT_EQ(run.value("p"), 2.0f - 1.9f * 0.05f);
  run.step("MomentumSGDUpdate", -1.0f, args);
  EXPECT_FLOAT_EQ(run.value("p"), 2.0f - 1.9f * 0.05f - (1.9f * -0.055f - 0.9f * 0.05f));
}

// torch.optim.SGD(lr=0.1, momentum=0.9): buf = 0.5, p = 1.95; buf = -0.55, p = 2.005.
TEST(SGDUpdate, TheLearningRateIsOutsideTheVelocity) {
  Fixture run;
  run.step("SGDUpdate", 0.5f, {arg("momentum", 0.9)});
  EXPECT_FLOAT_EQ(run.value("m"), 0.5f);
  EXPECT_FLOAT_EQ(run.value("p"), 1.95f);
  run.step("SGDUpdate", -1.0f, {arg("momentum", 0.9)});
  EXPECT_FLOAT_EQ(run.value("m"), -0.55f);
  EXPECT_FLOAT_EQ(run.value("p"), 2.005f);
}

TEST(SGDUpdate, NesterovAndLearningRateFactor) {
  Fixture run;
  run.step("SGDUpdate", 0.5f, {arg("momentum", 0.9), arg("nesterov", 1), arg("lr_factor", 2.0)});
  EXPECT_FLOAT_EQ(run.value("p"), 2.0f - 0.2f * (0.5f + 0.9f * 0.5f));
}

}  // namespace
}  // namespace lockstep
