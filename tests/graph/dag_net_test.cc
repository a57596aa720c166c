// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/dag_net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "graph/random_nets.h"
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
              "  in op Fail 'culprit' on worker 1 (cpu:1), reading a f32[2], writing b\n"
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

// The lane that ran each operator, and the order.
struct Recorder {
  explicit Recorder(World& world) {
    world.environment.on_op = [this](const OperatorDef& op, double) {
      const std::lock_guard lock(mutex);
      order.push_back(op.name());
      threads.insert(std::this_thread::get_id());
    };
  }
  std::mutex mutex;
  std::vector<std::string> order;
  std::set<std::thread::id> threads;
};

TEST(DagNet, HigherPriorityGoesFirstAndThenTheProgramsOrder) {
  World world;
  world.feed("x", {1});
  Recorder recorder(world);
  NetBuilder b("net", "dag");
  b.add("Sin", {"x"}, {"start"});
  b.add("Sin", {"start"}, {"update"}).set_priority(-1);
  b.add("Sin", {"start"}, {"backward1"});
  b.add("Sin", {"start"}, {"backward2"});
  b.add("Sin", {"backward1"}, {"collective"}).set_priority(1);
  run_net_once(b.net(), world.environment);
  EXPECT_THAT(recorder.order, ElementsAre("start", "backward1", "collective", "backward2", "update"));
}

TEST(DagNet, SeveralLanesOfADeviceRunItsOperatorsAtOnce) {
  World world;
  world.environment.lanes_per_device = 3;
  world.feed("x", {1});
  Recorder recorder(world);
  NetBuilder b("net", "dag");
  for (const char* name : {"a", "b", "c"}) b.add("Meet", {"x"}, {name}, {arg("partners", 3)});
  run_net_once(b.net(), world.environment);  // would never end on fewer lanes
  EXPECT_EQ(recorder.threads.size(), 3U);
  EXPECT_EQ(world.devices[0]->entered, 3);
  LanePool lanes(2);
  world.environment.lanes = &lanes;
  EXPECT_EQ(error_of([&] { make_net(b.net(), world.environment); }),
            "net 'net' needs 3 lanes per device: 2 lanes for 1 devices");
  world.environment.lanes_per_device = 0;
  EXPECT_EQ(error_of([&] { make_net(b.net(), world.environment); }),
            "net 'net' needs at least one lane per device, got 0");
}

// The second operator fails while the first, which fails too, has not begun: still it is the first that is told.
TEST(DagNet, TheFirstErrorInProgramOrderIsTold) {
  World world(2);
  world.feed("x", {1});
  NetBuilder b("net", "dag");
  {
    const auto device = b.device_scope({DeviceType::kCpu, 0});
    b.add("Nap", {"x"}, {"late"}, {arg("us", 50000)});
    b.add("Fail", {"late"}, {"y0"}, {}, "first");
  }
  {
    const auto device = b.device_scope({DeviceType::kCpu, 1});
    b.add("Fail", {"x"}, {"y1"}, {}, "second");
    b.add("Sin", {"x"}, {"behind"});
  }
  const auto net = make_net(b.net(), world.environment);
  for (int i = 0; i < 3; ++i) EXPECT_THAT(error_of([&] { net->run(); }), HasSubstr("in op Fail 'first'"));
  EXPECT_EQ(world.workspace.fetch("behind").size(), 0);  // behind the error in the program: never started
}

TEST(DagNet, RandomNetsEqualProgramOrder) { test::expect_dag_equals_simple(1, 200); }

}  // namespace
}  // namespace lockstep
