// SPDX-License-Identifier: Apache-2.0
#include "graph/random_nets.h"

#include <gtest/gtest.h>

#include <random>

#include "graph/test_ops.h"

namespace lockstep::test {
namespace {

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

}  // namespace

void expect_dag_equals_simple(int count, std::uint32_t seed) {
  std::mt19937 random(seed);
  World simple(3);
  World dag(3);
  LanePool lanes(3, [&](int lane) { dag.devices[static_cast<std::size_t>(lane)]->enter_thread(); });
  dag.environment.lanes = &lanes;
  for (int n = 0; n < count; ++n) {
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
      ASSERT_EQ(simple.fetch(name), dag.fetch(name)) << name << " of net " << n << "\n" << ops_text(net);
    }
  }
}

}  // namespace lockstep::test
