// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/graph/catalog.h"
#include "lockstep/graph/net.pb.h"

namespace lockstep {

// What is known of one operator before it runs.
struct OpPlan {
  bool known = false;  // all sizes are; else only the sizes of the outputs that could be inferred
  std::vector<TensorInfo> inputs, outputs;
  std::vector<Layout> input_layouts, output_layouts;
  std::vector<bool> sized_by_kernel;  // per output: its size follows from the data, and here from the assumption
  KernelChoice kernel;
  std::optional<double> flops;      // nothing when they depend on the data
  std::size_t output_bytes = 0;     // with the padding of blocked layouts; of outputs written in place too
  std::size_t converted_bytes = 0;  // of inputs that the executor brings into another layout
};

// Fills sizes (-1) of the outputs that depend on the data, such as the number of proposals.
using SizeAssumption =
    std::function<void(const OperatorDef& op, const std::vector<TensorInfo>& inputs, std::vector<TensorInfo>& outputs)>;

// Sizes, layouts, kernels and operations of every operator of `net`, given what the blobs from outside are. Nothing
// runs; libraries are asked which kernel they would take.
std::vector<OpPlan> plan_ops(const NetDef& net, const OpCatalog& catalog,
                             const std::map<std::string, TensorInfo>& externals, DeviceContext& device,
                             const SizeAssumption& assume);

// Bytes of a tensor in memory, with padding and alignment.
std::size_t storage_bytes(const TensorInfo& info, Layout layout);

struct PlannedNet {
  const NetDef* net;
  const std::vector<OpPlan>* ops;
};

// Memory of one device after some runs of its nets in program order.
struct MemoryPlan {
  std::size_t arena_bytes = 0;     // what the arena holds (arena.h), by the same rule as it
  std::size_t live_bytes = 0;      // the most that temporaries need at once: no arena can be smaller
  std::string live_op;             // the operator at which that is
  std::size_t unshared_bytes = 0;  // what the temporaries would take with memory of their own
  std::size_t other_bytes = 0;     // blobs of the nets outside the arena: inputs, results, small ones, sized by kernels
  std::size_t scratch_bytes = 0;   // work areas of libraries
};
// `nets` run one after the other; `outside` are the blobs that exist before and are counted elsewhere.
MemoryPlan plan_memory(const std::vector<PlannedNet>& nets, const DeviceOption& device,
                       const std::map<std::string, TensorInfo>& outside);

}  // namespace lockstep
