// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/collective_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/base/error.h"
#include "lockstep/base/philox.h"
#include "lockstep/collective/reduction_tree.h"
#include "lockstep/graph/net.h"
#include "lockstep/graph/net_builder.h"

namespace lockstep {
namespace {

class TestDevice : public DeviceContext {
 public:
  using DeviceContext::DeviceContext;
  void enter_thread() override {}
};

// Micro-batch gradients whose sum depends on the order of addition.
std::vector<Tensor> random_gradients(int micro_batches, std::int64_t size) {
  std::vector<Tensor> gradients;
  for (int m = 0; m < micro_batches; ++m) {
    Tensor& gradient = gradients.emplace_back(DType::kF32, Shape{size});
    PhiloxStream stream(1, m, 2);
    for (std::int64_t i = 0; i < size; ++i) gradient.data<float>()[i] = static_cast<float>(stream.normal() * 1e3);
  }
  return gradients;
}

// What every worker holds at the end of a step run with `workers` workers.
std::vector<std::vector<float>> reduce(const std::vector<Tensor>& gradients, int workers) {
  const int micro_batches = static_cast<int>(gradients.size());
  OpCatalog catalog;
  register_collective_ops(catalog);
  TestDevice device(DeviceId{});
  Workspace workspace;
  const NetEnvironment environment{.catalog = &catalog, .workspace = &workspace, .devices = {&device}};
  std::vector<std::string> nodes, sums;
  const auto ranges = balanced_ranges(micro_batches, workers);
  for (int w = 0; w < workers; ++w) {
    NetBuilder fold("fold");
    const auto scope = fold.name_scope("cpu_" + std::to_string(w));
    std::vector<std::string> inputs = {fold.scoped("gradient"), fold.scoped("index")};
    std::vector<std::string> slots;
    for (int s = 0; s < fold_slots(micro_batches, ranges[w]); ++s) {
      slots.push_back(fold.scoped("slot_" + std::to_string(s)));
      workspace.feed(slots.back(), Tensor(DType::kF32, gradients[0].shape()));
    }
    inputs.insert(inputs.end(), slots.begin(), slots.end());
    fold.add("FoldGradient", inputs, slots,
             {arg("micro_batches", micro_batches), arg("begin", ranges[w].begin), arg("end", ranges[w].end)});
    for (int index = ranges[w].begin; index < ranges[w].end; ++index) {
      workspace.feed(fold.scoped("gradient"), gradients[index]);
      workspace.feed(fold.scoped("index"), Tensor::scalar<std::int32_t>(index));
      run_net_once(fold.net(), environment);
    }
    const auto count = covering_nodes(micro_batches, ranges[w]).size();
    nodes.insert(nodes.end(), slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(count));
    sums.push_back(fold.scoped("slot_0"));  // in place over the first node
  }
  NetBuilder all_reduce("all_reduce");
  all_reduce.add("LockstepAllReduce", nodes, sums, {arg("micro_batches", micro_batches)});
  run_net_once(all_reduce.net(), environment);
  std::vector<std::vector<float>> results;
  for (const std::string& sum : sums) {
    const Tensor& tensor = workspace.fetch(sum);
    results.emplace_back(tensor.data<float>(), tensor.data<float>() + tensor.size());
  }
  return results;
}

TEST(LockstepAllReduce, EveryWorkerOfEveryCountHoldsTheSameBits) {
  for (const int micro_batches : {1, 2, 3, 5, 8, 13}) {
    const auto gradients = random_gradients(micro_batches, 9001);  // two full chunks and a tail
    const std::vector<float> alone = reduce(gradients, 1)[0];
    for (int workers = 1; workers <= micro_batches; ++workers) {
      for (const auto& sum : reduce(gradients, workers)) EXPECT_EQ(sum, alone) << micro_batches << " on " << workers;
    }
  }
}

// The test above could not fail if the order of addition never reached the bits.
TEST(LockstepAllReduce, LeftToRightSumsWouldDiffer) {
  const auto gradients = random_gradients(8, 9001);
  std::vector<float> sum(9001, 0.0f);
  for (const Tensor& gradient : gradients) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += gradient.data<float>()[i];
  }
  EXPECT_NE(sum, reduce(gradients, 1)[0]);
}

TEST(LockstepAllReduce, AWrongNumberOfNodesIsAnError) {
  OpCatalog catalog;
  register_collective_ops(catalog);
  TestDevice device(DeviceId{});
  Workspace workspace;
  const NetEnvironment environment{.catalog = &catalog, .workspace = &workspace, .devices = {&device}};
  for (const char* name : {"a", "b", "c"}) workspace.feed(name, Tensor(DType::kF32, {4}));
  NetBuilder net("net");
  net.add("LockstepAllReduce", {"a", "b", "c"}, {"a", "b"}, {arg("micro_batches", 2)});
  try {
    run_net_once(net.net(), environment);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("2 micro-batches on 2 workers leave 2 tree nodes, got 3 inputs"));
    EXPECT_THAT(error.what(), testing::HasSubstr("in op LockstepAllReduce 'a' on worker 0 (cpu:0), reading a f32[4]"));
  }
}

}  // namespace
}  // namespace lockstep
