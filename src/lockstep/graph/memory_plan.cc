// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/memory_plan.h"

#include <algorithm>
#include <set>

#include "lockstep/graph/arena.h"
#include "lockstep/graph/liveness.h"
#include "lockstep/graph/operator.h"

namespace lockstep {
namespace {

struct BlobPlan {
  TensorInfo info;
  Layout layout = Layout::kPlain;
};

bool is_known(const TensorInfo& info) {
  return std::all_of(info.shape.begin(), info.shape.end(), [](std::int64_t size) { return size >= 0; });
}

bool all_known(const std::vector<TensorInfo>& infos) { return std::all_of(infos.begin(), infos.end(), is_known); }

std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// The layout in which the executor hands an input to the kernel (operator.cc).
Layout wanted_layout(LayoutRule rule, const OpPlan& plan, std::size_t i) {
  if (rule == LayoutRule::kPlain) return Layout::kPlain;
  if (rule == LayoutRule::kSame && plan.inputs[i].shape.size() == 4) return plan.input_layouts[0];
  return plan.input_layouts[i];
}

OpPlan plan_op(const OperatorDef& op, const OpSchema& schema, const std::vector<BlobPlan>& inputs,
               DeviceContext& device, const SizeAssumption& assume) {
  OpPlan plan;
  for (const BlobPlan& input : inputs) {
    plan.inputs.push_back(input.info);
    plan.input_layouts.push_back(input.layout);
  }
  const OpArgs args = schema.resolve(op);
  plan.outputs = schema.infer_outputs(args, plan.inputs, op.output_size(), DType::kF32);
  for (const TensorInfo& output : plan.outputs) plan.sized_by_kernel.push_back(!is_known(output));
  if (assume) assume(op, plan.inputs, plan.outputs);
  plan.output_layouts.assign(plan.outputs.size(), Layout::kPlain);
  plan.known = all_known(plan.inputs) && all_known(plan.outputs);
  if (!plan.known) return plan;
  const OpSizes sizes{args, plan.inputs, plan.outputs, plan.input_layouts};
  plan.flops = schema.flops_of(sizes);
  plan.kernel = schema.choose_kernel(device, sizes);
  plan.output_layouts = plan.kernel.layouts;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    if (wanted_layout(schema.layout_rule(), plan, i) == plan.input_layouts[i]) continue;
    plan.converted_bytes += aligned(arena_bytes(plan.inputs[i].dtype, plan.inputs[i].shape));
  }
  for (std::size_t o = 0; o < plan.outputs.size(); ++o) {
    plan.output_bytes += storage_bytes(plan.outputs[o], plan.output_layouts[o]);
  }
  return plan;
}

// Follows the runs of one device's nets with sizes instead of memory.
class MemoryRun {
 public:
  explicit MemoryRun(const DeviceOption& device) : device_(device_id(device)) {}

  void run(const PlannedNet& planned, const std::map<std::string, TensorInfo>& outside) {
    const NetDef& net = *planned.net;
    std::map<std::string, int> last_user;
    std::vector<std::vector<std::string>> ending(static_cast<std::size_t>(net.op_size()));
    for (const Temporary& temporary : find_temporaries(net)) {
      last_user[temporary.name] = temporary.users.back();
      ending[static_cast<std::size_t>(temporary.users.back())].push_back(temporary.name);
    }
    for (int k = 0; k < net.op_size(); ++k) {
      const OpPlan& op = (*planned.ops)[static_cast<std::size_t>(k)];
      if (device_id(net.op(k).device_option()) == device_) run_op(net.op(k), op, last_user, outside);
      for (const std::string& name : ending[static_cast<std::size_t>(k)]) release(name);
    }
  }

  MemoryPlan plan() const {
    MemoryPlan plan = plan_;
    plan.arena_bytes = held_bytes_ + free_.bytes();
    for (const auto& [name, bytes] : own_) plan.other_bytes += bytes;
    for (const auto& [name, bytes] : unshared_) plan.unshared_bytes += bytes;
    for (const std::size_t bytes : scratch_) plan.scratch_bytes += bytes;
    return plan;
  }

 private:
  struct Held {
    std::size_t block;  // of the arena
    std::size_t bytes;  // that the blob needs
  };

  void run_op(const OperatorDef& op, const OpPlan& plan, const std::map<std::string, int>& temporaries,
              const std::map<std::string, TensorInfo>& outside) {
    if (!plan.known) return;
    std::vector<std::size_t> converted;
    if (plan.converted_bytes >= Arena::kSmallest) converted.push_back(take(plan.converted_bytes));
    for (std::size_t o = 0; o < plan.outputs.size(); ++o) {
      const std::string& name = op.output(static_cast<int>(o));
      const std::size_t stored = storage_bytes(plan.outputs[o], plan.output_layouts[o]);
      const std::size_t asked = aligned(arena_bytes(plan.outputs[o].dtype, plan.outputs[o].shape));
      if (held_.contains(name) || outside.contains(name)) continue;
      if (temporaries.contains(name) && !plan.sized_by_kernel[o] && asked >= Arena::kSmallest) {
        held_[name] = {take(asked), stored};
        live_bytes_ += stored;
        unshared_[name] = std::max(unshared_[name], stored);
      } else {
        own_[name] = std::max(own_[name], stored);
      }
    }
    const std::size_t live = live_bytes_ + plan.converted_bytes;
    if (live > plan_.live_bytes) {
      plan_.live_bytes = live;
      plan_.live_op = op.type() + " '" + op.name() + "'";
    }
    for (const std::size_t block : converted) give(block);
    const auto& areas = plan.kernel.scratch_bytes;
    scratch_.resize(std::max(scratch_.size(), areas.size()));
    for (std::size_t a = 0; a < areas.size(); ++a) scratch_[a] = std::max(scratch_[a], aligned(areas[a]));
  }

  std::size_t take(std::size_t bytes) {
    const auto block = free_.take(bytes);
    const std::size_t size = block ? block->first : bytes;
    held_bytes_ += size;
    return size;
  }
  void give(std::size_t block) {
    held_bytes_ -= block;
    free_.give(block, 0);
  }
  void release(const std::string& name) {
    const auto found = held_.find(name);
    if (found == held_.end()) return;
    give(found->second.block);
    live_bytes_ -= found->second.bytes;
    held_.erase(found);
  }

  DeviceId device_;
  FreeBlocks<char> free_;
  std::map<std::string, Held> held_;
  std::map<std::string, std::size_t> own_, unshared_;
  std::vector<std::size_t> scratch_;
  std::size_t held_bytes_ = 0;
  std::size_t live_bytes_ = 0;
  MemoryPlan plan_;
};

}  // namespace

std::size_t storage_bytes(const TensorInfo& info, Layout layout) {
  Shape padded = info.shape;
  if (layout != Layout::kPlain) {
    const std::int64_t block = channel_block(layout);
    padded[1] = (padded[1] + block - 1) / block * block;
  }
  return aligned(static_cast<std::size_t>(element_count(padded)) * size_of(info.dtype));
}

std::vector<OpPlan> plan_ops(const NetDef& net, const OpCatalog& catalog,
                             const std::map<std::string, TensorInfo>& externals, DeviceContext& device,
                             const SizeAssumption& assume) {
  std::map<std::string, BlobPlan> blobs;
  for (const auto& [name, info] : externals) blobs[name] = {info, Layout::kPlain};
  std::vector<OpPlan> plans;
  for (const OperatorDef& op : net.op()) {
    const OpSchema& schema = catalog.find(op.type());
    std::vector<BlobPlan> inputs;
    for (const std::string& name : op.input()) {
      const auto found = blobs.find(name);
      if (found != blobs.end()) inputs.push_back(found->second);
    }
    const bool complete = static_cast<int>(inputs.size()) == op.input_size();
    plans.push_back(complete ? plan_op(op, schema, inputs, device, assume) : OpPlan{});
    for (std::size_t o = 0; o < plans.back().outputs.size(); ++o) {
      blobs[op.output(static_cast<int>(o))] = {plans.back().outputs[o], plans.back().output_layouts[o]};
    }
  }
  return plans;
}

MemoryPlan plan_memory(const std::vector<PlannedNet>& nets, const DeviceOption& device,
                       const std::map<std::string, TensorInfo>& outside) {
  // The blocks of the first runs decide those of the later ones: run until nothing grows.
  MemoryRun run(device);
  MemoryPlan plan, before;
  for (int round = 0; round < 8; ++round) {
    for (const PlannedNet& net : nets) run.run(net, outside);
    plan = run.plan();
    if (round > 0 && plan.arena_bytes == before.arena_bytes) break;
    before = plan;
  }
  return plan;
}

}  // namespace lockstep
