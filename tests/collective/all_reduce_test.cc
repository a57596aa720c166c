// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/all_reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "collective/all_reduce_test_base.h"
#include "engine/error_text.h"

namespace lockstep {
namespace {

using test::all_reduce_failure;
using test::CollectiveWorld;

// Every list of devices, both executors, the affix and the in-place form.
void expect_all_cases(const AllReduceFunction& reduce) {
  std::vector<int> twelve(12);
  std::iota(twelve.begin(), twelve.end(), 0);
  const std::vector<std::vector<int>> lists = {{0},    {0, 1},    {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7},
                                               {1, 3}, {0, 2, 5}, {1, 10},      twelve};
  for (const std::vector<int>& ids : lists) {
    for (const char* affix : {"_reduced", ""}) {
      for (const char* executor : {"simple", "dag"}) {
        EXPECT_EQ(all_reduce_failure(reduce, {ids, affix, executor}), "");
      }
    }
  }
}

TEST(AllReduce, LockstepGivesEveryDeviceTheSum) { expect_all_cases(all_reduce_named("lockstep")); }
TEST(AllReduce, TreeGivesEveryDeviceTheSum) { expect_all_cases(all_reduce_named("tree")); }

TEST(AllReduce, EachDeviceAloneKeepsItsOwn) {
  for (const char* name : {"lockstep", "tree"}) {
    for (int id = 0; id < 8; ++id) EXPECT_EQ(all_reduce_failure(all_reduce_named(name), {{id}}), "");
  }
}

// The base itself: a result that only the last device lacks is found and named.
TEST(AllReduceTestBase, NamesTheDeviceAndTheBlobs) {
  const auto forgets_the_last = [](NetBuilder& net, const AllReduce& all_reduce) {
    add_tree_all_reduce(net, all_reduce);
    net.net().mutable_op()->RemoveLast();
  };
  EXPECT_EQ(all_reduce_failure(forgets_the_last, {{0, 2, 5}, "", "simple"}),
            "device cpu:5: blob 'cpu_5/blob' holds 6 at element 0, wanted 10\n"
            "devices 0, 2, 5, simple net; blobs: cpu_0/blob, cpu_0/blob_from_1, cpu_0/blob_from_2, cpu_2/blob, "
            "cpu_5/blob\n");
  EXPECT_EQ(all_reduce_failure(forgets_the_last, {{1, 10}, "_sum", "dag"}),
            "device cpu:10: blob 'cpu_10/blob_sum' is not there\n"
            "devices 1, 10, dag net; blobs: cpu_1/blob, cpu_1/blob_sum, cpu_10/blob\n");
}

TEST(AllReduce, BlobsAndDevicesMustBeAsMany) {
  NetBuilder net("net");
  const std::vector<DeviceId> devices = {{DeviceType::kCpu, 0}, {DeviceType::kCpu, 1}};
  EXPECT_EQ(error_text(ErrorKind::kGraph,
                       [&] {
                         add_all_reduce(net, all_reduce_named("tree"), {"a", "b", "c"}, devices);
                       }),
            "an all-reduce needs one blob per device, got 3 blobs (a, b, c) for 2 devices (cpu:0, cpu:1)");
  EXPECT_EQ(error_text(ErrorKind::kGraph, [&] { add_all_reduce(net, all_reduce_named("tree"), {}, {}); }),
            "an all-reduce needs one blob per device, got 0 blobs () for 0 devices ()");
  EXPECT_EQ(error_text(ErrorKind::kGraph,
                       [&] {
                         add_all_reduce(net, all_reduce_named("lockstep"), {"a", "a"}, devices);
                       }),
            "all-reduce 'a_all_reduce': blob 'a' stands for worker 0 (cpu:0) and again for worker 1 (cpu:1)");
  EXPECT_EQ(error_text(ErrorKind::kConfig, [&] { all_reduce_named("ring"); }),
            "all-reduce 'ring' does not exist; there are lockstep and tree");
}

TEST(AllReduce, EveryWorkerMustBringTheNodesOfItsMicroBatches) {
  NetBuilder net("net");
  AllReduce all_reduce{"w_all_reduce", 4, {}, {}};
  all_reduce.shares = {{{DeviceType::kCpu, 0}, {"cpu_0/n0", "cpu_0/n1"}, "cpu_0/n0"},
                       {{DeviceType::kCpu, 1}, {"cpu_1/n0"}, "cpu_1/n0"},
                       {{DeviceType::kCpu, 2}, {"cpu_2/n0"}, "cpu_2/n0"}};
  for (const char* name : {"lockstep", "tree"}) {
    EXPECT_EQ(
        error_text(ErrorKind::kGraph, [&] { all_reduce_named(name)(net, all_reduce); }),
        "all-reduce 'w_all_reduce': worker 0 (cpu:0) brings 2 blobs (cpu_0/n0, cpu_0/n1), but 4 micro-batches on 3 "
        "workers leave it 1 tree nodes");
  }
  all_reduce.shares.clear();
  EXPECT_EQ(error_text(ErrorKind::kGraph, [&] { require_matching_shares(all_reduce); }),
            "all-reduce 'w_all_reduce' has no workers");
}

std::string shape_error(const char* name) {
  CollectiveWorld world({0, 1});
  world.workspace.feed("cpu_0/w_grad", Tensor::from<float>({2}, {1, 2}));
  world.workspace.feed("cpu_1/w_grad", Tensor::from<float>({3}, {1, 2, 3}));
  NetBuilder net("step");
  add_all_reduce(net, all_reduce_named(name), {"cpu_0/w_grad", "cpu_1/w_grad"}, world.device_ids(), "");
  return error_text(ErrorKind::kShape, [&] { run_net_once(net.net(), world.environment); });
}

TEST(AllReduce, ShapesThatDifferAreNamedWithTheirBlobs) {
  EXPECT_EQ(shape_error("lockstep"),
            "[LockstepAllReduce] inputs 'nodes[0]' and 'nodes[1]' must have one shape, got f32[2] and f32[3]\n"
            "  in op LockstepAllReduce 'cpu_0/w_grad_all_reduce' on worker 0 (cpu:0), reading cpu_0/w_grad f32[2], "
            "cpu_1/w_grad f32[3], writing cpu_0/w_grad, cpu_1/w_grad\n"
            "  in net 'step'");
  EXPECT_EQ(
      shape_error("tree"),
      "[Add] inputs 'A' and 'B' must have one shape, got f32[2] and f32[3]\n"
      "  in op Add 'cpu_0/w_grad_all_reduce_add_0_0' on worker 0 (cpu:0), reading cpu_0/w_grad f32[2], cpu_1/w_grad "
      "f32[3], writing cpu_0/w_grad\n"
      "  in net 'step'");
}

TEST(AllReduce, ReplicasArePairedByOrderAndName) {
  const std::vector<DeviceId> devices = {{DeviceType::kCpu, 1}, {DeviceType::kCpu, 10}};
  EXPECT_THAT(
      pair_replicas({{"cpu_1/a", "cpu_1/b"}, {"cpu_10/a", "cpu_10/b"}}, devices),
      testing::ElementsAre(testing::ElementsAre("cpu_1/a", "cpu_10/a"), testing::ElementsAre("cpu_1/b", "cpu_10/b")));
  EXPECT_EQ(error_text(ErrorKind::kGraph,
                       [&] {
                         pair_replicas({{"cpu_1/a", "cpu_1/b"}, {"cpu_10/b", "cpu_10/a"}}, devices);
                       }),
            "replicas differ: blob 0 to reduce is 'cpu_1/a' on worker 0 (cpu:1), but 'cpu_10/b' on worker 1 (cpu:10); "
            "build them in the same order");
  EXPECT_EQ(error_text(ErrorKind::kGraph,
                       [&] {
                         pair_replicas({{"cpu_1/a", "cpu_1/b"}, {"cpu_10/a"}}, devices);
                       }),
            "replicas differ: worker 0 (cpu:1) has 2 blobs to reduce (cpu_1/a, cpu_1/b), worker 1 (cpu:10) has 1 "
            "(cpu_10/a)");
  // A prefix test would take cpu_10's blob for one of cpu_1.
  EXPECT_EQ(error_text(ErrorKind::kGraph,
                       [&] {
                         pair_replicas({{"cpu_10/a"}, {"cpu_10/a"}}, devices);
                       }),
            "blob 'cpu_10/a' of worker 0 (cpu:1) does not stand in its scope 'cpu_1/'");
}

}  // namespace
}  // namespace lockstep
