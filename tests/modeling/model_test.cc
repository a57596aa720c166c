// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "lockstep/base/error.h"

namespace lockstep {
namespace {

using testing::HasSubstr;

constexpr DeviceId kFirst = {DeviceType::kCpu, 0};
constexpr DeviceId kSecond = {DeviceType::kCpu, 1};

template <typename Action>
std::string graph_error(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGraph);
    return error.what();
  }
  return "nothing was thrown";
}

std::string weight(Model& model, const std::string& name, const Shape& shape = {2}) {
  return model.parameter(name, shape, ParameterKind::kWeight, gaussian_filler(0.1));
}

TEST(Model, ReplicasShareTheListOfParametersAndHaveTheirOwnBlobs) {
  Model model("net", "simple", true);
  for (const DeviceId& device : {kFirst, kSecond}) {
    const auto scopes = model.replica(device);
    EXPECT_EQ(weight(model, "a.weight"), device_scope(device) + "/a.weight");
    model.parameter("a.mean", {2}, ParameterKind::kBuffer, constant_filler(0));
    model.parameter("b.weight", {3}, ParameterKind::kWeight, msra_filler(), false);
  }
  ASSERT_EQ(model.parameters().size(), 3u);
  EXPECT_EQ(model.parameters()[0].name, "a.weight");
  EXPECT_EQ(model.parameters()[2].shape, (Shape{3}));
  // Neither a buffer nor a frozen weight has a gradient.
  EXPECT_EQ(model.trainable_blobs(), (std::set<std::string>{"cpu_0/a.weight", "cpu_1/a.weight"}));
  EXPECT_EQ(model.devices(), (std::vector<DeviceId>{kFirst, kSecond}));
}

// The key of the random numbers is the unscoped name: otherwise the workers would start from different weights.
TEST(Model, ReplicasAreFilledAlike) {
  Model model("net", "simple", true);
  for (const DeviceId& device : {kFirst, kSecond}) {
    const auto scopes = model.replica(device);
    weight(model, "a.weight");
  }
  const NetDef& init = model.init().net();
  ASSERT_EQ(init.op_size(), 2);
  EXPECT_EQ(init.op(0).output(0), "cpu_0/a.weight");
  EXPECT_EQ(init.op(1).output(0), "cpu_1/a.weight");
  EXPECT_EQ(init.op(1).device_option().index(), 1);
  for (const OperatorDef& op : init.op()) {
    EXPECT_EQ(op.type(), "GaussianFill");
    int keys = 0;
    for (const Argument& argument : op.arg()) {
      if (argument.name() != "key") continue;
      EXPECT_EQ(argument.s(), "a.weight");
      ++keys;
    }
    EXPECT_EQ(keys, 1);
  }
}

TEST(Model, AnotherNameOrShapeOrOrderInAReplicaIsAnError) {
  const auto build = [](const std::function<void(Model&)>& second) {
    Model model("net", "simple", true);
    {
      const auto scopes = model.replica(kFirst);
      weight(model, "a");
      weight(model, "b");
    }
    const auto scopes = model.replica(kSecond);
    second(model);
  };
  EXPECT_THAT(
      graph_error([&] { build([](Model& model) { weight(model, "b"); }); }),
      HasSubstr("the replica on cpu:1 declares parameter 0 as 'b' [2], but the first replica declared 'a' [2]"));
  EXPECT_THAT(
      graph_error([&] { build([](Model& model) { weight(model, "a", {5}); }); }),
      HasSubstr("the replica on cpu:1 declares parameter 0 as 'a' [5], but the first replica declared 'a' [2]"));
  EXPECT_THAT(
      graph_error([&] {
        build([](Model& model) {
          for (const char* name : {"a", "b", "c"}) weight(model, name);
        });
      }),
      HasSubstr("the replica on cpu:1 declares parameter 2 as 'c' [2], but the first replica declared no more"));
}

TEST(Model, AReplicaThatDeclaresTooLittleIsAnError) {
  Model model("net", "simple", true);
  {
    const auto scopes = model.replica(kFirst);
    weight(model, "a");
    weight(model, "b");
  }
  {
    const auto scopes = model.replica(kSecond);
    weight(model, "a");
  }
  EXPECT_THAT(graph_error([&] {
                const auto scopes = model.replica({DeviceType::kCpu, 2});
              }),
              HasSubstr("the replica on cpu:1 declared 1 of 2 parameters; all replicas must declare the same"));
}

TEST(Model, ANameTwiceIsAnError) {
  Model model("net", "simple", true);
  const auto scopes = model.replica(kFirst);
  weight(model, "a");
  EXPECT_THAT(graph_error([&] { weight(model, "a"); }), HasSubstr("parameter 'a' is declared twice"));
}

}  // namespace
}  // namespace lockstep
