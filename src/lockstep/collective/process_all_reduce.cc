// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/collective/process_group.h"
#include "lockstep/collective/reduction_tree.h"
#include "lockstep/collective/tree_adder.h"

namespace lockstep {
namespace {

constexpr std::int64_t kGrid = 64;  // slices of a bucket start at multiples of this many elements

// How workers and micro-batches lie on the processes.
struct Layout {
  int micro_batches = 1;
  std::vector<MicroBatchRange> processes;         // micro-batches of each rank
  std::vector<std::vector<MicroBatchRange>> own;  // tree nodes of each worker of this process
  int nodes_of_worker_count() const {
    std::size_t count = 0;
    for (const auto& nodes : own) count += nodes.size();
    return static_cast<int>(count);
  }
};

Layout layout_of(const OpArgs& args) {
  Layout layout;
  layout.micro_batches = static_cast<int>(args.integer("micro_batches"));
  const int rank = static_cast<int>(args.integer("rank"));
  const int processes = static_cast<int>(args.integer("processes"));
  const int workers = static_cast<int>(args.integer("workers"));
  LS_CHECK(kGraph, rank < processes, "[ProcessAllReduce] rank {} of {} processes", rank, processes);
  const auto ranges = balanced_ranges(layout.micro_batches, workers);
  const auto shares = balanced_ranges(workers, processes);
  for (const MicroBatchRange& share : shares) {
    layout.processes.push_back(
        {ranges[static_cast<std::size_t>(share.begin)].begin, ranges[static_cast<std::size_t>(share.end) - 1].end});
  }
  const MicroBatchRange mine = shares[static_cast<std::size_t>(rank)];
  for (int w = mine.begin; w < mine.end; ++w) {
    layout.own.push_back(covering_nodes(layout.micro_batches, ranges[static_cast<std::size_t>(w)]));
  }
  return layout;
}

// The memory of the group's calls. One operator of a process runs at a time, so all of them could share it; each has
// its own, because the sum of a bucket lives until it has been handed to the workers.
template <typename T>
class ProcessAllReduceKernel : public Kernel {
 public:
  void run(KernelContext& context) override {
    const std::shared_ptr<ProcessGroup> group = context.input_blob(0).object<ProcessGroup>();
    LS_CHECK(kGraph, group != nullptr, "input 'group' holds no process group; it has to be set before the net runs");
    LS_CHECK(kGraph,
             group->rank() == context.args().integer("rank") && group->size() == context.args().integer("processes"),
             "the net was made for rank {} of {}, but this process is rank {} of {}", context.args().integer("rank"),
             context.args().integer("processes"), group->rank(), group->size());
    if (!prepared_) prepare(context);
    if (context.args().text("order") == "any") {
      add_in_any_order(context, *group);
    } else {
      add_in_tree_order(context, *group);
    }
    hand_out(context);
  }

 private:
  void prepare(const KernelContext& context) {
    layout_ = layout_of(context.args());
    inputs_per_tensor_ = layout_.nodes_of_worker_count();
    tensors_ = (context.input_count() - 1) / inputs_per_tensor_;
    std::vector<MicroBatchRange> own, all;
    for (const auto& nodes : layout_.own) own.insert(own.end(), nodes.begin(), nodes.end());
    for (const MicroBatchRange& range : layout_.processes) {
      nodes_of_process_.push_back(covering_nodes(layout_.micro_batches, range));
      all.insert(all.end(), nodes_of_process_.back().begin(), nodes_of_process_.back().end());
    }
    local_.set_leaves(own);
    global_.set_leaves(all);
    prepared_ = true;
  }

  const T* input(const KernelContext& context, int tensor, int node) const {
    return context.input(1 + tensor * inputs_per_tensor_ + node).template data<T>();
  }
  const Tensor& first_input(const KernelContext& context, int tensor) const {
    return context.input(1 + tensor * inputs_per_tensor_);
  }
  std::int64_t total(const KernelContext& context) const {
    std::int64_t count = 0;
    for (int t = 0; t < tensors_; ++t) count += first_input(context, t).size();
    return count;
  }

  // Calls body(tensor, first element, count, place in the bucket) for every chunk of every tensor.
  template <typename Body>
  void for_chunks(const KernelContext& context, const Body& body) const {
    std::int64_t place = 0;
    for (int t = 0; t < tensors_; ++t) {
      const std::int64_t size = first_input(context, t).size();
      for (std::int64_t first = 0; first < size; first += TreeAdder<T>::kChunk) {
        const std::int64_t count = std::min(TreeAdder<T>::kChunk, size - first);
        body(t, first, count, place + first);
      }
      place += size;
    }
  }

  // Reduce-scatter and all-gather: the owner of a slice gets all nodes of that slice, adds them and sends the sum.
  void add_in_tree_order(const KernelContext& context, ProcessGroup& group) {
    const std::int64_t size = total(context);
    const int ranks = group.size(), me = group.rank();
    const auto& mine = nodes_of_process_[static_cast<std::size_t>(me)];
    own_.resize(mine.size() * static_cast<std::size_t>(size));
    for_chunks(context, [&](int t, std::int64_t first, std::int64_t count, std::int64_t place) {
      for (std::size_t m = 0; m < mine.size(); ++m) {
        const T* sum = local_.add(
            mine[m], [&](int node) { return input(context, t, node); }, first, count);
        std::copy_n(sum, count, own_.data() + static_cast<std::int64_t>(m) * size + place);
      }
    });

    const auto bound = [&](int r) { return r == ranks ? size : size * r / ranks / kGrid * kGrid; };
    const std::int64_t begin = bound(me), length = bound(me + 1) - begin;
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    std::vector<const T*> leaves;  // where the nodes of all ranks begin in my slice
    std::size_t others = 0;
    for (const auto& nodes : nodes_of_process_) others += nodes.size();
    others_.resize((others - mine.size()) * static_cast<std::size_t>(length));
    T* next = others_.data();
    for (int r = 0; r < ranks; ++r) {
      const std::size_t count = nodes_of_process_[static_cast<std::size_t>(r)].size();
      for (std::size_t m = 0; m < count; ++m) {
        if (r == me) {
          leaves.push_back(own_.data() + static_cast<std::int64_t>(m) * size + begin);
        } else {
          leaves.push_back(next);
          incoming.push_back({r, next, static_cast<std::size_t>(length) * sizeof(T)});
          next += length;
        }
      }
      if (r == me) continue;
      for (std::size_t m = 0; m < mine.size(); ++m) {
        outgoing.push_back({r, own_.data() + static_cast<std::int64_t>(m) * size + bound(r),
                            static_cast<std::size_t>(bound(r + 1) - bound(r)) * sizeof(T)});
      }
    }
    group.exchange(context.op_name(), outgoing, incoming);

    sum_.resize(static_cast<std::size_t>(size));
    for (std::int64_t first = 0; first < length; first += TreeAdder<T>::kChunk) {
      const std::int64_t count = std::min(TreeAdder<T>::kChunk, length - first);
      const T* sum = global_.add(
          {0, layout_.micro_batches}, [&](int node) { return leaves[static_cast<std::size_t>(node)]; }, first, count);
      std::copy_n(sum, count, sum_.data() + begin + first);
    }
    outgoing.clear();
    incoming.clear();
    for (int r = 0; r < ranks; ++r) {
      if (r == me) continue;
      outgoing.push_back({r, sum_.data() + begin, static_cast<std::size_t>(length) * sizeof(T)});
      incoming.push_back({r, sum_.data() + bound(r), static_cast<std::size_t>(bound(r + 1) - bound(r)) * sizeof(T)});
    }
    group.exchange(context.op_name(), outgoing, incoming);
  }

  void add_in_any_order(const KernelContext& context, ProcessGroup& group) {
    sum_.assign(static_cast<std::size_t>(total(context)), T{});
    for_chunks(context, [&](int t, std::int64_t first, std::int64_t count, std::int64_t place) {
      T* to = sum_.data() + place;
      for (int node = 0; node < inputs_per_tensor_; ++node) {
        const T* from = input(context, t, node) + first;
        for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
      }
    });
    if constexpr (std::is_same_v<T, float>) {
      group.sum_in_any_order(context.op_name(), sum_.data(), static_cast<std::int64_t>(sum_.size()));
    } else {
      LS_CHECK(kUnsupported, group.size() == 1, "the reference engine runs on one process");
    }
  }

  void hand_out(const KernelContext& context) {
    const int workers = static_cast<int>(layout_.own.size());
    for_chunks(context, [&](int t, std::int64_t first, std::int64_t count, std::int64_t place) {
      for (int w = 0; w < workers; ++w) {
        std::copy_n(sum_.data() + place, count, context.output(1 + t * workers + w).template data<T>() + first);
      }
    });
  }

  bool prepared_ = false;
  Layout layout_;
  int inputs_per_tensor_ = 1;
  int tensors_ = 0;
  std::vector<std::vector<MicroBatchRange>> nodes_of_process_;
  TreeAdder<T> local_, global_;
  std::vector<T> own_;     // the process's nodes, one bucket each
  std::vector<T> others_;  // the nodes of the other ranks within this rank's slice
  std::vector<T> sum_;     // of the bucket
};

std::vector<TensorInfo> infer_process_all_reduce(const InferContext& context) {
  const Layout layout = layout_of(context.args());
  const int nodes = layout.nodes_of_worker_count();
  const int workers = static_cast<int>(layout.own.size());
  const int tensors = (context.input_count() - 1) / nodes;
  LS_CHECK(
      kShape,
      tensors >= 1 && context.input_count() == 1 + tensors * nodes && context.output_count() == 1 + tensors * workers,
      "[ProcessAllReduce] the {} workers of rank {} have {} tree nodes of every gradient; got {} nodes and {} sums",
      workers, context.args().integer("rank"), nodes, context.input_count() - 1, context.output_count() - 1);
  std::vector<TensorInfo> outputs = {{context.real(), {0}}};
  for (int t = 0; t < tensors; ++t) {
    const int first = 1 + t * nodes;
    for (int i = first; i < first + nodes; ++i) {
      context.require_real(i);
      context.require_same_shape(first, i);
    }
    outputs.insert(outputs.end(), static_cast<std::size_t>(workers), context.input(first));
  }
  return outputs;
}

}  // namespace

OpSchema process_all_reduce_schema() {
  OpSchema schema("ProcessAllReduce");
  schema
      .doc(
          "Adds a bucket of gradients over all workers of all processes and gives every worker of this process the "
          "sums. Each process owns a slice of the bucket, gets the tree nodes of that slice from the others, adds them "
          "in tree order and sends the sum (docs/decisions/0002), so that the bits do not depend on how many workers "
          "or processes there are.")
      .input("group", "blob that holds a std::shared_ptr<ProcessGroup> (collective/process_group.h)")
      .input(
          "nodes",
          "for each gradient of the bucket the tree nodes of this process's workers from left to right; the nodes of "
          "one gradient have one shape")
      .variadic_inputs(2)
      .output("group", "the same blob: keeps the buckets in one order on all ranks")
      .output("sums", "for each gradient one per worker of this process")
      .variadic_outputs(2)
      .required_arg("micro_batches", std::int64_t{1}, "micro-batches B of a step, over all workers")
      .range(1, 1 << 20)
      .required_arg("workers", std::int64_t{1}, "workers W over all processes")
      .range(1, 1 << 20)
      .required_arg("processes", std::int64_t{1}, "ranks of the group")
      .range(1, 1 << 20)
      .required_arg("rank", std::int64_t{0}, "of this process")
      .range(0, 1 << 20)
      .arg("order", std::string("tree"), "`tree`, or `any`: the library's, by one MPI_Allreduce")
      .infer(infer_process_all_reduce)
      .no_gradient("it runs after the gradients are complete")
      .cpu(class_kernel<ProcessAllReduceKernel<float>>())
      .reference(class_kernel<ProcessAllReduceKernel<double>>());
  return schema.in_place_any();
}

}  // namespace lockstep
