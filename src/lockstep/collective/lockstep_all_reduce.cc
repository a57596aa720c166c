// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/collective/reduction_tree.h"
#include "lockstep/collective/tree_adder.h"

namespace lockstep {
namespace {

std::vector<MicroBatchRange> nodes_of_workers(int micro_batches, int workers) {
  std::vector<MicroBatchRange> nodes;
  for (const MicroBatchRange& range : balanced_ranges(micro_batches, workers)) {
    const auto own = covering_nodes(micro_batches, range);
    nodes.insert(nodes.end(), own.begin(), own.end());
  }
  return nodes;
}

template <typename T>
class LockstepAllReduceKernel : public Kernel {
 public:
  void run(KernelContext& context) override {
    const int micro_batches = static_cast<int>(context.args().integer("micro_batches"));
    if (adder_.leaves().empty()) adder_.set_leaves(nodes_of_workers(micro_batches, context.output_count()));
    const auto values = [&](int i) { return context.input(i).template data<T>(); };
    const std::int64_t size = context.input(0).size();
    for (std::int64_t first = 0; first < size; first += TreeAdder<T>::kChunk) {
      const std::int64_t count = std::min(TreeAdder<T>::kChunk, size - first);
      // All nodes of a chunk are read before any is overwritten: outputs may be inputs.
      const T* sum = adder_.add({0, micro_batches}, values, first, count);
      for (int w = 0; w < context.output_count(); ++w) {
        T* to = context.output(w).template data<T>() + first;
        if (to != sum) std::copy_n(sum, count, to);
      }
    }
  }

 private:
  TreeAdder<T> adder_;
};

std::vector<TensorInfo> infer_all_reduce(const InferContext& context) {
  const int micro_batches = static_cast<int>(context.args().integer("micro_batches"));
  const int wanted = static_cast<int>(nodes_of_workers(micro_batches, context.output_count()).size());
  LS_CHECK(kShape, context.input_count() == wanted,
           "[LockstepAllReduce] {} micro-batches on {} workers leave {} tree nodes, got {} inputs", micro_batches,
           context.output_count(), wanted, context.input_count());
  for (int i = 0; i < context.input_count(); ++i) {
    context.require_real(i);
    context.require_same_shape(0, i);
  }
  return std::vector<TensorInfo>(static_cast<std::size_t>(context.output_count()), context.input(0));
}

}  // namespace

OpSchema lockstep_all_reduce_schema() {
  OpSchema schema("LockstepAllReduce");
  schema
      .doc(
          "Adds the reduction-tree nodes of all workers in tree order and gives every worker the sum, so that the bits "
          "do not depend on the number of workers (docs/decisions/0002).")
      .input("nodes", "the tree nodes of worker 0 from left to right, then those of worker 1, and so on; one shape")
      .variadic_inputs(1)
      .output("sums", "one per worker, each the sum over all micro-batches")
      .variadic_outputs(1)
      .required_arg("micro_batches", std::int64_t{1}, "micro-batches B of a step, over all workers")
      .range(1, 1 << 20)
      .infer(infer_all_reduce)
      .no_gradient("it runs after the gradients are complete")
      .cpu(class_kernel<LockstepAllReduceKernel<float>>())
      .reference(class_kernel<LockstepAllReduceKernel<double>>());
  return schema.in_place_any();
}

}  // namespace lockstep
