// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/operator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

using test::World;
using testing::ElementsAre;

TEST(Operator, TellsTheObserverEveryRunAndItsTime) {
  World world;
  world.feed("x", {1, 2});
  std::vector<std::string> seen;
  double seconds = 0;
  world.environment.on_op = [&](const OperatorDef& op, double time) {
    seen.push_back(op.name());
    EXPECT_GE(time, 0);
    seconds += time;
  };
  NetBuilder b("net");
  b.add("Sin", {"x"}, {"a"}, {}, "first");
  b.add("Nap", {"a"}, {"b"}, {arg("us", std::int64_t{2000})}, "second");
  const auto net = make_net(b.net(), world.environment);
  net->run();
  net->run();
  EXPECT_THAT(seen, ElementsAre("first", "second", "first", "second"));
  EXPECT_GT(seconds, 0.001);  // the naps
}

TEST(Operator, TellsTheObserverNothingOfAFailure) {
  World world;
  world.feed("x", {1});
  int calls = 0;
  world.environment.on_op = [&](const OperatorDef&, double) { ++calls; };
  NetBuilder b("net");
  b.add("Fail", {"x"}, {"y"});
  const auto net = make_net(b.net(), world.environment);
  EXPECT_THROW(net->run(), Error);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace lockstep
