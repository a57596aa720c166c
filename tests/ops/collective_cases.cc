// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/process_group.h"
#include "ops/op_case.h"

namespace lockstep {
namespace {

// A group of this process alone.
class LoneProcess : public ProcessGroup {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void exchange(const std::string&, const std::vector<Outgoing>&, const std::vector<Incoming>&) override {}
  void sum_in_any_order(const std::string&, float*, std::int64_t) override {}
};

std::vector<Argument> fold_args(int micro_batches, int begin, int end) {
  return {arg("micro_batches", micro_batches), arg("begin", begin), arg("end", end)};
}

}  // namespace

// What the ops add up to over a whole step is tested in tests/collective; here each stands alone.
std::vector<OpCase> collective_cases() {
  std::vector<OpCase> cases;
  {
    // Micro-batch 3 of 5 ends two nodes: its gradient joins slot 1, and slot 1 joins slot 0.
    OpCase& one = cases.emplace_back();
    one.name = one.type = "FoldGradient";
    one.args = fold_args(5, 0, 5);
    one.inputs = tensors(random_tensor({3, 2, 2, 5}, 1), int_tensor({1}, {3}), random_tensor({3, 2, 2, 5}, 2),
                         random_tensor({3, 2, 2, 5}, 3));
    one.outputs = 2;
    // Micro-batch 0 is pushed; micro-batch 1 joins it; a parameter without elements.
    one.variants.push_back(
        tensors(random_tensor({7}, 1), int_tensor({1}, {0}), random_tensor({7}, 2), random_tensor({7}, 3)));
    one.variants.push_back(
        tensors(random_tensor({7}, 1), int_tensor({1}, {1}), random_tensor({7}, 2), random_tensor({7}, 3)));
    one.variants.push_back(
        tensors(random_tensor({0, 4}, 1), int_tensor({1}, {2}), random_tensor({0, 4}, 2), random_tensor({0, 4}, 3)));
    one.errors.push_back(
        {"[FoldGradient] micro-batch 5 is not one of the worker's, 0 to 4",
         tensors(random_tensor({7}, 1), int_tensor({1}, {5}), random_tensor({7}, 2), random_tensor({7}, 3)),
         {},
         {}});
    one.errors.push_back({"[FoldGradient] found the range begin 2, end 6; wanted 0 <= begin < end <= 5 micro-batches",
                          {},
                          fold_args(5, 2, 6),
                          {}});
    one.errors.push_back({"micro-batches 0 to 4 of 5 need 2 slots, the same before and after; got 1 before and 1 after",
                          tensors(random_tensor({7}, 1), int_tensor({1}, {0}), random_tensor({7}, 2)),
                          {},
                          1});
    one.errors.push_back(
        {"[FoldGradient] inputs 'gradient' and 'slots[0]' must have one shape, got f32[7] and f32[6]",
         tensors(random_tensor({7}, 1), int_tensor({1}, {0}), random_tensor({6}, 2), random_tensor({7}, 3)),
         {},
         {}});
  }
  {
    // Three workers share five micro-batches as [0,2) [2,4) [4,5): one node each.
    OpCase& one = cases.emplace_back();
    one.name = one.type = "LockstepAllReduce";
    one.args = {arg("micro_batches", 5)};
    one.inputs =
        tensors(random_tensor({3, 2, 2, 5}, 1), random_tensor({3, 2, 2, 5}, 2), random_tensor({3, 2, 2, 5}, 3));
    one.outputs = 3;
    // Two chunks of 4,096 elements and a tail; nothing at all.
    one.variants.push_back(tensors(random_tensor({9001}, 1), random_tensor({9001}, 2), random_tensor({9001}, 3)));
    one.variants.push_back(tensors(random_tensor({0}, 1), random_tensor({0}, 2), random_tensor({0}, 3)));
    one.errors.push_back({"5 micro-batches on 2 workers leave 4 tree nodes, got 2 inputs",
                          tensors(random_tensor({7}, 1), random_tensor({7}, 2)),
                          {},
                          2});
    one.errors.push_back({"5 workers have only 4 micro-batches to share in a step",
                          {},
                          std::vector<Argument>{arg("micro_batches", 4)},
                          5});
    one.errors.push_back({"must have one shape, got f32[7] and f32[6]",
                          tensors(random_tensor({7}, 1), random_tensor({7}, 2), random_tensor({6}, 3)),
                          {},
                          {}});
  }
  {
    // One process with two workers, [0,2) and [2,3): one node each, and a bucket of two gradients.
    OpCase& one = cases.emplace_back();
    one.name = one.type = "ProcessAllReduce";
    one.args = {arg("micro_batches", 3), arg("workers", 2), arg("processes", 1), arg("rank", 0)};
    one.inputs = tensors(Tensor(DType::kF32, {0}), random_tensor({3, 5}, 1), random_tensor({3, 5}, 2),
                         random_tensor({2100}, 3), random_tensor({2100}, 4));
    one.outputs = 5;
    one.setup = [](Workspace& workspace) {
      workspace.get("x0").set_object(std::static_pointer_cast<ProcessGroup>(std::make_shared<LoneProcess>()));
    };
    one.errors.push_back({"the 2 workers of rank 0 have 2 tree nodes of every gradient; got 1 nodes and 4 sums",
                          tensors(Tensor(DType::kF32, {0}), random_tensor({7}, 1)),
                          {},
                          {}});
  }
  return cases;
}

}  // namespace lockstep
