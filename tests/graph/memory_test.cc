// SPDX-License-Identifier: Apache-2.0
// Liveness, the arena, and the plan that predicts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_ops.h"
#include "lockstep/graph/arena.h"
#include "lockstep/graph/liveness.h"
#include "lockstep/graph/memory_plan.h"

namespace lockstep {
namespace {

using test::World;
using testing::ElementsAre;

TEST(Liveness, OnlyBlobsThatLiveInsideARunAreTemporary) {
  NetBuilder b("net");
  b.add("Sin", {"x"}, {"a"});       // 0
  b.add("Sin", {"a"}, {"b"});       // 1
  b.add("Scale", {"a"}, {"a"});     // 2: a again, in place
  b.add("Sin", {"b"}, {"x"});       // 3: x came from outside and stays
  b.add("Sin", {"b"}, {"result"});  // 4: declared as result
  b.net().add_external_output("result");
  const auto found = find_temporaries(b.net());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "a");
  EXPECT_THAT(found[0].users, ElementsAre(0, 1, 2));
  EXPECT_EQ(found[1].name, "b");
  EXPECT_THAT(found[1].users, ElementsAre(1, 3, 4));
}

TEST(FreeBlocks, TheSmallestThatFitsElseTheLargestMakesRoom) {
  FreeBlocks<int> free;
  free.give(100, 1);
  free.give(300, 3);
  free.give(200, 2);
  EXPECT_EQ(free.take(150)->second, 2);
  EXPECT_EQ(free.take(301), std::nullopt);  // and 300 is gone: the new block takes its place
  EXPECT_EQ(free.bytes(), 100u);
}

// A chain of 8 KiB tensors needs two of them at once, however long it is.
NetDef chain(const std::string& type, int length) {
  NetBuilder b("chain", type);
  b.add("Sin", {"x"}, {"t0"});
  for (int k = 1; k < length; ++k) b.add("Sin", {"t" + std::to_string(k - 1)}, {"t" + std::to_string(k)});
  b.add("Sin", {"t" + std::to_string(length - 1)}, {"y"});
  b.net().add_external_output("y");
  return b.net();
}

TEST(Arena, AChainTakesTurnsInTwoBlocksAndGivesTheSameBits) {
  std::vector<double> values(2048);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.001 * static_cast<double>(i);
  World alone;
  alone.feed("x", values);
  run_net_once(chain("simple", 9), alone.environment);
  for (const char* type : {"simple", "dag"}) {
    World world;
    world.feed("x", values);
    Arena arena;
    arena.poison(0xff);
    world.environment.arenas = {&arena};
    const auto net = make_net(chain(type, 9), world.environment);
    for (int run = 0; run < 3; ++run) {
      net->run();
      EXPECT_EQ(world.fetch("y"), alone.fetch("y"));
      EXPECT_EQ(arena.free_bytes(), 2u * 8192) << type;
      EXPECT_EQ(world.workspace.fetch("t3").size(), 0);  // gave its memory up
    }
    test::TestDevice device(0);
    const std::map<std::string, TensorInfo> outside = {{"x", {DType::kF32, {2048}}}};
    const NetDef def = chain(type, 9);
    const auto plans = plan_ops(def, test::catalog(), outside, device, {});
    const MemoryPlan plan = plan_memory({{&def, &plans}}, {}, outside);
    EXPECT_EQ(plan.arena_bytes, 2u * 8192);
    EXPECT_EQ(plan.live_bytes, 2u * 8192);
    EXPECT_EQ(plan.unshared_bytes, 9u * 8192);
    EXPECT_EQ(plan.other_bytes, 8192u);  // y
  }
}

// A failed run leaves its blobs as they are for who looks for the cause; the next run takes their memory back first, so
// that failures do not add up.
TEST(Arena, FailedRunsDoNotMakeItGrow) {
  for (const char* type : {"simple", "dag"}) {
    World world;
    world.feed("x", std::vector<double>(2048, 0.5));
    Arena arena;
    world.environment.arenas = {&arena};
    NetBuilder b("bad", type);
    b.add("Sin", {"x"}, {"a"});
    b.add("Sin", {"a"}, {"b"});
    b.add("Fail", {"b"}, {"c"});
    const auto net = make_net(b.net(), world.environment);
    for (int run = 0; run < 3; ++run) {
      EXPECT_NE(test::error_of([&] { net->run(); }), "");
      std::size_t held = arena.free_bytes();
      for (const char* name : {"a", "b", "c"}) held += world.workspace.fetch(name).capacity_bytes();
      EXPECT_EQ(held, 2u * 8192) << type << " run " << run;
      EXPECT_EQ(world.workspace.fetch("b").size(), 2048) << type;
    }
  }
}

}  // namespace
}  // namespace lockstep
