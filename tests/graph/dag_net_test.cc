// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/dag_net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

using test::error_of;
using test::World;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Dag, EdgesFollowReadsAndWrites) {
  NetBuilder b("net");
  b.add("Sin", {"x"}, {"a"});                         // 0
  b.add("Sin", {"a"}, {"b"});                         // 1 reads 0
  b.add("Scale", {"a"}, {"a"});                       // 2 reads and overwrites 0, after its reader 1
  b.add("Sin", {"x"}, {"b"});                         // 3 overwrites 1
  b.add("Sin", {"a"}, {"c"});                         // 4
  b.add("Sin", {"x"}, {"x"});                         // 5 after the readers of x
  b.add("Sin", {"y"}, {"d"}).add_control_input("c");  // 6
  const Dag dag = build_dag(b.net());
  EXPECT_THAT(dag.parents, ElementsAre(ElementsAre(), ElementsAre(0), ElementsAre(0, 1), ElementsAre(1), ElementsAre(2),
                                       ElementsAre(0, 3), ElementsAre(4)));
  EXPECT_THAT(dag.children[0], ElementsAre(1, 2, 5));
}

TEST(DagNet, FailingOperatorEndsTheRunAndLeavesTheNetRunnable) {
  World world(2);
  world.feed("x", {1, 2});
  world.environment.describe_run = [] { return "step 17"; };
  NetBuilder b("bad", "dag");
  {
    const auto device = b.device_scope({DeviceType::kCpu, 1});
    b.add("Sin", {"x"}, {"a"});
    b.add("Fail", {"a"}, {"b"}, {}, "culprit");
  }
  const auto device = b.device_scope({DeviceType::kCpu, 0});
  b.add("Scale", {"b"}, {"after"}, {arg("scale", 3.0)});
  const auto net = make_net(b.net(), world.environment);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(error_of([&] { net->run(); }),
              "this operator always fails\n"
              "  in op Fail 'culprit' on cpu:1, reading a f32[2], writing b\n"
              "  in net 'bad'\n"
              "  at step 17");
    EXPECT_EQ(world.workspace.fetch("after").size(), 0);  // was never started
  }
}

TEST(DagNet, ConcurrentRunsAreRefused) {
  World world(1);
  world.feed("x", {1});
  NetBuilder b("slow", "dag");
  b.add("Nap", {"x"}, {"y"}, {arg("us", 200000)});
  const auto net = make_net(b.net(), world.environment);
  std::thread first([&] { net->run(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_THAT(error_of([&] { net->run(); }), HasSubstr("net 'slow' is running already; wait for that run to end"));
  first.join();
  net->run();
}

TEST(DagNet, BlockedOperatorHoldsUpItsLaneOnly) {
  World world(2);
  world.feed("x", {1});
  NetBuilder b("two", "dag");
  {
    const auto device = b.device_scope({DeviceType::kCpu, 0});
    b.add("Nap", {"x"}, {"y0"}, {arg("us", 150000)});
  }
  const auto device = b.device_scope({DeviceType::kCpu, 1});
  b.add("Nap", {"x"}, {"y1"}, {arg("us", 150000)});
  const auto net = make_net(b.net(), world.environment);
  const auto start = std::chrono::steady_clock::now();
  net->run();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(280));
  EXPECT_EQ(world.devices[0]->entered, 1);
  EXPECT_EQ(world.devices[1]->entered, 1);
}

TEST(DagNet, NetsShareTheLanesOfTheEnvironment) {
  World world(2);
  LanePool lanes(2, [&](int lane) { world.devices[static_cast<std::size_t>(lane)]->enter_thread(); });
  world.environment.lanes = &lanes;
  world.feed("x", {1});
  for (int n = 0; n < 3; ++n) {
    NetBuilder b("shared", "dag");
    const auto device = b.device_scope({DeviceType::kCpu, 1});
    b.add("Scale", {"x"}, {"y"}, {arg("scale", 2.0 + n)});
    run_net_once(b.net(), world.environment);
    EXPECT_THAT(world.fetch("y"), ElementsAre(2.0 + n));
  }
  EXPECT_EQ(world.devices[1]->entered, 1);
  make_net(NetBuilder("empty", "dag").net(), world.environment)->run();
}

// Random operators on random devices over few blobs, so that every kind of edge is frequent.
NetDef random_net(std::mt19937& random, const std::string& type) {
  NetBuilder b("random", type);
  const auto blob = [&] { return "b" + std::to_string(random() % 8); };
  const int count = 5 + static_cast<int>(random() % 40);
  for (int k = 0; k < count; ++k) {
    const auto device = b.device_scope({DeviceType::kCpu, static_cast<int>(random() % 3)});
    const std::string in = blob();
    const std::string other = blob();
    const std::string out = blob();
    switch (random() % 3) {
      case 0: b.add("Sin", {in}, {out}); break;
      case 1: b.add("Scale", {in}, {out}, {arg("scale", 1.25)}); break;
      default: b.add("Add", {in, other}, {out == other ? in : out}); break;
    }
    if (in == other && out == in) b.net().mutable_op()->RemoveLast();
  }
  return b.net();
}

TEST(DagNet, RandomNetsEqualProgramOrder) {
  std::mt19937 random(5);
  World simple(3);
  World dag(3);
  LanePool lanes(3, [&](int lane) { dag.devices[static_cast<std::size_t>(lane)]->enter_thread(); });
  dag.environment.lanes = &lanes;
  for (int n = 0; n < 200; ++n) {
    const NetDef net = random_net(random, "simple");
    NetDef parallel = net;
    parallel.set_type("dag");
    for (int i = 0; i < 8; ++i) {
      const std::string name = "b" + std::to_string(i);
      simple.feed(name, {0.1 * i, -0.7, 1.0 + i});
      dag.feed(name, {0.1 * i, -0.7, 1.0 + i});
    }
    run_net_once(net, simple.environment);
    run_net_once(parallel, dag.environment);
    for (int i = 0; i < 8; ++i) {
      const std::string name = "b" + std::to_string(i);
      ASSERT_EQ(simple.fetch(name), dag.fetch(name)) << name << " of net " << n << "\n" << test::ops_text(net);
    }
  }
}

}  // namespace
}  // namespace lockstep
