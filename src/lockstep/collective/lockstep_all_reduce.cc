// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <deque>

#include "lockstep/base/check.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/collective/reduction_tree.h"

namespace lockstep {
namespace {

// Elements that are read, added and written back at a time: the chunks of eight workers stay in the first-level cache.
// (No bits depend on it.)
constexpr std::int64_t kChunk = 1024;

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
    if (nodes_.empty()) nodes_ = nodes_of_workers(micro_batches, context.output_count());
    const std::int64_t size = context.input(0).size();
    for (std::int64_t first = 0; first < size; first += kChunk) {
      const std::int64_t count = std::min(kChunk, size - first);
      // All nodes of a chunk are read before any is overwritten: outputs may be inputs.
      const T* sum = add_up(context, {0, micro_batches}, first, count, 0);
      for (int w = 0; w < context.output_count(); ++w) {
        T* to = context.output(w).template data<T>() + first;
        if (to != sum) std::copy_n(sum, count, to);
      }
    }
  }

 private:
  // The sum of the subtree `node` over elements first..first+count-1: a node itself, or the spare chunk of `level`.
  const T* add_up(const KernelContext& context, MicroBatchRange node, std::int64_t first, std::int64_t count,
                  std::size_t level) {
    const auto found = std::find(nodes_.begin(), nodes_.end(), node);
    if (found != nodes_.end()) return context.input(static_cast<int>(found - nodes_.begin())).data<T>() + first;
    const int middle = split_point(node);
    if (spare_.size() <= level) spare_.resize(level + 1);
    const T* left = add_up(context, {node.begin, middle}, first, count, level);
    const T* right = add_up(context, {middle, node.end}, first, count, level + 1);
    T* to = spare_[level].data();
    for (std::int64_t i = 0; i < count; ++i) to[i] = left[i] + right[i];
    return to;
  }

  std::vector<MicroBatchRange> nodes_;
  std::deque<std::array<T, kChunk>> spare_;  // a deque: growing keeps the chunks of lower levels where they are
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
