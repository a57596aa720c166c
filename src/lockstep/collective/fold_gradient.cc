// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/collective/reduction_tree.h"

namespace lockstep {
namespace {

template <typename T>
void add_to(const T* from, T* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
}

MicroBatchRange worker_range(const OpArgs& args) {
  return {static_cast<int>(args.integer("begin")), static_cast<int>(args.integer("end"))};
}

template <typename T>
void fold_gradient(KernelContext& context) {
  const Tensor& gradient = context.input(0);
  const int index = context.input(1).data<std::int32_t>()[0];
  const MicroBatchRange range = worker_range(context.args());
  LS_CHECK(kGraph, index >= range.begin && index < range.end,
           "[FoldGradient] micro-batch {} is not one of the worker's, {} to {}", index, range.begin, range.end - 1);
  const FoldStep step = fold_step(static_cast<int>(context.args().integer("micro_batches")), range, index);
  const std::int64_t count = gradient.size();
  for (int slot = 0; slot < context.output_count(); ++slot) {
    const T* before = context.input(slot + 2).data<T>();
    T* after = context.output(slot).data<T>();
    if (before != after) std::copy_n(before, count, after);
  }
  if (step.merges == 0) {
    std::copy_n(gradient.data<T>(), count, context.output(step.depth_before).data<T>());
    return;
  }
  add_to(gradient.data<T>(), context.output(step.depth_before - 1).data<T>(), count);
  for (int merge = 1; merge < step.merges; ++merge) {
    const int left = step.depth_before - 1 - merge;
    add_to(context.output(left + 1).data<T>(), context.output(left).data<T>(), count);
  }
}

std::vector<TensorInfo> infer_fold(const InferContext& context) {
  const int micro_batches = static_cast<int>(context.args().integer("micro_batches"));
  const MicroBatchRange range = worker_range(context.args());
  LS_CHECK(kGraph, 0 <= range.begin && range.begin < range.end && range.end <= micro_batches,
           "[FoldGradient] found the range begin {}, end {}; wanted 0 <= begin < end <= {} micro-batches", range.begin,
           range.end, micro_batches);
  const int slots = fold_slots(micro_batches, range);
  LS_CHECK(kGraph, context.output_count() >= slots && context.input_count() == context.output_count() + 2,
           "[FoldGradient] micro-batches {} to {} of {} need {} slots, the same before and after; got {} before and {} "
           "after",
           range.begin, range.end - 1, micro_batches, slots, context.input_count() - 2, context.output_count());
  context.require_real(0);
  context.require_dtype(1, DType::kI32);
  context.require_rank(1, 1);
  context.require_dim(1, 0, 1, "one micro-batch index");
  for (int i = 2; i < context.input_count(); ++i) context.require_same_shape(0, i);
  return std::vector<TensorInfo>(static_cast<std::size_t>(context.output_count()), context.input(0));
}

}  // namespace

OpSchema fold_gradient_schema() {
  OpSchema schema("FoldGradient");
  schema
      .doc(
          "Adds the gradient of one micro-batch to a worker's stack of reduction-tree nodes, like a binary counter: "
          "after the worker's last micro-batch slot i holds node i of covering_nodes (collective/reduction_tree.h).")
      .input("gradient", "gradient of one parameter for this micro-batch, any shape")
      .input("micro_batch_index", "i32[1], the micro-batch's number in the step")
      .input("slots", "the stack, each of the gradient's shape; contents from the micro-batch before")
      .variadic_inputs(3)
      .output("slots", "the stack after this micro-batch")
      .variadic_outputs(1)
      .required_arg("micro_batches", std::int64_t{1}, "micro-batches B of a step, over all workers")
      .range(1, 1 << 20)
      .required_arg("begin", std::int64_t{0}, "first micro-batch of this worker")
      .required_arg("end", std::int64_t{1}, "one past the last micro-batch of this worker")
      .infer(infer_fold)
      .no_gradient("it runs after the gradients are complete")
      .cpu(function_kernel(fold_gradient<float>))
      .reference(function_kernel(fold_gradient<double>));
  for (int slot = 0; slot < kMaximumFoldSlots; ++slot) schema.in_place(slot + 2, slot);
  return schema;
}

}  // namespace lockstep
