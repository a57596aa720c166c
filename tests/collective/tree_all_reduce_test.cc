// SPDX-License-Identifier: Apache-2.0
// Which tree the devices get, as text: operators with their device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <map>

#include "collective/all_reduce_test_base.h"
#include "lockstep/graph/operator.h"

namespace lockstep {
namespace {

// "device: output = Type(inputs)" per operator; blobs are called by their device, a copy of 4 on 0 is 0<4.
std::string tree_text(const std::vector<int>& ids, const PeerAccess& can_read) {
  std::vector<DeviceId> devices;
  std::vector<std::string> blobs;
  for (const int id : ids) {
    devices.push_back({DeviceType::kCpu, id});
    blobs.push_back(std::to_string(id));
  }
  NetBuilder net("net");
  add_all_reduce(
      net, [&](NetBuilder& b, const AllReduce& all_reduce) { add_tree_all_reduce(b, all_reduce, can_read); }, blobs,
      devices, "");
  std::string text;
  for (const OperatorDef& op : net.net().op()) {
    text += fmt::format("{}: {} = {}({})\n", op.device_option().index(), fmt::join(op.output(), ", "), op.type(),
                        fmt::join(op.input(), ", "));
  }
  return text;
}

bool everywhere(const DeviceId&, const DeviceId&) { return true; }
bool nowhere(const DeviceId& reader, const DeviceId& owner) { return reader == owner; }
bool in_quads(const DeviceId& reader, const DeviceId& owner) { return reader.index / 4 == owner.index / 4; }

constexpr const char* kEight =
    "0: 0 = Add(0, 1)\n2: 2 = Add(2, 3)\n4: 4 = Add(4, 5)\n6: 6 = Add(6, 7)\n"
    "0: 0 = Add(0, 2)\n4: 4 = Add(4, 6)\n"
    "0: 0_from_4 = Copy(4)\n0: 0 = Add(0, 0_from_4)\n"
    "4: 4 = Copy(0)\n2: 2 = Copy(0)\n6: 6 = Copy(4)\n"
    "1: 1 = Copy(0)\n3: 3 = Copy(2)\n5: 5 = Copy(4)\n7: 7 = Copy(6)\n";

TEST(TreeAllReduce, OneTwoFourAndEightDevices) {
  EXPECT_EQ(tree_text({0}, everywhere), "");
  EXPECT_EQ(tree_text({0, 1}, everywhere), "0: 0 = Add(0, 1)\n1: 1 = Copy(0)\n");
  EXPECT_EQ(tree_text({0, 1, 2, 3}, everywhere),
            "0: 0 = Add(0, 1)\n2: 2 = Add(2, 3)\n0: 0 = Add(0, 2)\n"
            "2: 2 = Copy(0)\n1: 1 = Copy(0)\n3: 3 = Copy(2)\n");
  EXPECT_EQ(tree_text({0, 1, 2, 3, 4, 5, 6, 7}, everywhere), kEight);
  EXPECT_EQ(tree_text({0, 1, 2, 3, 4, 5, 6, 7}, in_quads), kEight);
}

// The ancestors looked at the first devices of the machine; here those that take part decide.
TEST(TreeAllReduce, TheDevicesUsedDecide) {
  EXPECT_EQ(tree_text({5, 7}, in_quads), "5: 5 = Add(5, 7)\n7: 7 = Copy(5)\n");
  EXPECT_EQ(tree_text({3, 4}, in_quads), "3: 3_from_1 = Copy(4)\n3: 3 = Add(3, 3_from_1)\n4: 4 = Copy(3)\n");
  EXPECT_EQ(tree_text({4, 5, 6, 7}, in_quads),
            "4: 4 = Add(4, 5)\n6: 6 = Add(6, 7)\n4: 4 = Add(4, 6)\n"
            "6: 6 = Copy(4)\n5: 5 = Copy(4)\n7: 7 = Copy(6)\n");
  // Two groups of two, given in turns: brought together, and copied before the border is crossed.
  EXPECT_EQ(tree_text({0, 4, 1, 5}, in_quads),
            "0: 0 = Add(0, 1)\n4: 4 = Add(4, 5)\n0: 0_from_2 = Copy(4)\n0: 0 = Add(0, 0_from_2)\n"
            "4: 4 = Copy(0)\n1: 1 = Copy(0)\n5: 5 = Copy(4)\n");
  // Three and one fit no tree.
  EXPECT_EQ(tree_text({0, 1, 2, 4}, in_quads), tree_text({0, 1, 2, 4}, nowhere));
}

TEST(TreeAllReduce, EverythingElseGoesThroughTheFirst) {
  EXPECT_EQ(tree_text({0, 2, 5}, everywhere),
            "0: 0_from_1 = Copy(2)\n0: 0 = Add(0, 0_from_1)\n0: 0_from_2 = Copy(5)\n0: 0 = Add(0, 0_from_2)\n"
            "2: 2 = Copy(0)\n5: 5 = Copy(0)\n");
  EXPECT_EQ(tree_text({0, 1}, nowhere), "0: 0_from_1 = Copy(1)\n0: 0 = Add(0, 0_from_1)\n1: 1 = Copy(0)\n");
}

TEST(TreeAllReduce, CpuDevicesShareTheirMemoryAndCudaDevicesDoNot) {
  EXPECT_TRUE(shares_memory({DeviceType::kCpu, 1}, {DeviceType::kCpu, 10}));
  EXPECT_TRUE(shares_memory({DeviceType::kCuda, 1}, {DeviceType::kCuda, 1}));
  EXPECT_FALSE(shares_memory({DeviceType::kCuda, 0}, {DeviceType::kCuda, 1}));
  EXPECT_FALSE(shares_memory({DeviceType::kCpu, 0}, {DeviceType::kCuda, 0}));
}

// No addition reads memory that its device cannot reach, whatever the devices; every device gets the sum.
TEST(TreeAllReduce, NoAdditionCrossesAGroup) {
  for (unsigned set = 1; set < 1u << 12; set += 7) {
    std::vector<int> ids;
    for (int id = 0; id < 12; ++id) {
      if ((set >> id & 1u) != 0) ids.push_back(id);
    }
    const AllReduceFunction reduce = [&](NetBuilder& net, const AllReduce& all_reduce) {
      add_tree_all_reduce(net, all_reduce, in_quads);
      std::map<std::string, DeviceId> homes;
      for (const ReduceShare& share : all_reduce.shares) homes[share.nodes[0]] = homes[share.sum] = share.device;
      for (const OperatorDef& op : net.net().op()) {
        const DeviceId here = device_id(op.device_option());
        for (const std::string& input : op.input()) {
          const bool reachable = op.type() == "Copy" || in_quads(here, homes.at(input));
          EXPECT_TRUE(reachable) << to_string(here) << " adds " << input;
        }
        homes[op.output(0)] = here;
      }
    };
    ASSERT_EQ(test::all_reduce_failure(reduce, {ids}), "");
  }
}

// Workers with several micro-batches bring several nodes.
TEST(TreeAllReduce, OwnNodesAreAddedFirst) {
  test::CollectiveWorld world({0, 1});
  for (const auto& [name, value] : std::map<std::string, float>{{"a0", 1}, {"a1", 2}, {"b0", 4}, {"b1", 8}}) {
    world.workspace.feed(name, Tensor::scalar<float>(value));
  }
  // Micro-batches 0..2 leave [0,2) [2,3); 3..5 leave [3,4) [4,6).
  const AllReduce all_reduce{
      "w", 6, {{{DeviceType::kCpu, 0}, {"a0", "a1"}, "a"}, {{DeviceType::kCpu, 1}, {"b0", "b1"}, "b0"}}, {}};
  NetBuilder net("net");
  add_tree_all_reduce(net, all_reduce);
  run_net_once(net.net(), world.environment);
  EXPECT_EQ(world.workspace.fetch("a").data<float>()[0], 15);
  EXPECT_EQ(world.workspace.fetch("b0").data<float>()[0], 15);
}

}  // namespace
}  // namespace lockstep
