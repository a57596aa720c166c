// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/step_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/base/check.h"
#include "lockstep/data/minibatch.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/graph/validate.h"

namespace lockstep {
namespace {

constexpr std::int64_t kBoxesPerImage = 16;

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Sizes of the blobs that hold the input, by their name without scope.
Shape input_shape(const std::string& name, const InputSizes& sizes) {
  if (name == "data") return {sizes.images, 3, sizes.height, sizes.width};
  if (name == "im_info") return {sizes.images, 3};
  if (name == "gt_boxes") return {sizes.boxes, 4};
  if (name == "gt_counts" || name == "sample_ids") return {sizes.images};
  return {sizes.boxes};
}

SizeAssumption largest_sizes(const OpCatalog& catalog, const InputSizes& sizes) {
  return [&catalog, sizes](const OperatorDef& op, const std::vector<TensorInfo>&, std::vector<TensorInfo>& outputs) {
    std::int64_t rows = -1;
    if (op.type() == "DequeueBlobs") {
      for (std::size_t o = 0; o < outputs.size(); ++o)
        outputs[o].shape = input_shape(minibatch_fields()[o].name, sizes);
    } else if (op.type() == "GenerateProposals") {
      rows = sizes.images * catalog.find(op.type()).resolve(op).integer("post_nms_topk");
    } else if (op.type() == "SampleRois") {
      rows = sizes.images * catalog.find(op.type()).resolve(op).integer("batch_size");
    }
    if (rows < 0) return;
    for (TensorInfo& output : outputs) output.shape[0] = rows;
  };
}

std::string mebibytes(std::size_t bytes) { return fmt::format("{:.2f}", static_cast<double>(bytes) / (1 << 20)); }

}  // namespace

InputSizes largest_input(const Config& config) {
  const auto& edges = config.input.min_size_train;
  LS_CHECK(kConfig, !edges.empty(), "INPUT.MIN_SIZE_TRAIN is empty");
  InputSizes sizes;
  sizes.images = config.solver.ims_per_micro_batch;
  const std::int64_t multiple = minibatch_options(config).size_divisibility;
  const std::int64_t shorter = *std::max_element(edges.begin(), edges.end());
  sizes.height = rounded_up(std::min<std::int64_t>(shorter, config.input.max_size_train), multiple);
  sizes.width = rounded_up(config.input.max_size_train, multiple);
  sizes.boxes = kBoxesPerImage * sizes.images;
  return sizes;
}

void grow_to(InputSizes& sizes, const std::vector<Tensor>& micro_batch) {
  const Tensor& data = micro_batch[0];
  sizes.boxes = std::max(sizes.boxes, micro_batch[2].dim(0));
  if (data.dim(2) * data.dim(3) <= sizes.height * sizes.width) return;
  sizes = {data.dim(0), data.dim(2), data.dim(3), sizes.boxes};
}

std::size_t& memory_part(MemoryUse& memory, const TrainNets& nets, const std::string& blob) {
  const std::string name = blob.substr(blob.find('/') + 1);
  for (const Parameter& parameter : nets.parameters) {
    if (name == parameter.name) return memory.parameters;
    if (name == parameter.name + "_momentum") return memory.momentum;
  }
  return name.find("_grad_node_") == std::string::npos ? memory.other : memory.gradients;
}

StepPlan plan_step(const TrainNets& nets, const OpCatalog& catalog, const InputSizes& sizes, int threads) {
  StepPlan plan;
  CpuDevice device(0, threads);
  const SizeAssumption assume = largest_sizes(catalog, sizes);
  std::map<std::string, TensorInfo> outside = parameter_infos(nets, catalog);
  for (const auto& [name, info] : outside) memory_part(plan.memory, nets, name) += storage_bytes(info, Layout::kPlain);
  for (const OperatorDef& op : nets.step.op()) {
    if (op.type() == "DequeueBlobs") outside[op.input(0)] = {DType::kF32, {0}};
  }
  for (const NetDef& net : nets.accumulate) plan.accumulate.push_back(plan_ops(net, catalog, outside, device, assume));
  plan.step = plan_ops(nets.step, catalog, outside, device, assume);
  for (std::size_t w = 0; w < nets.ranges.size(); ++w) {
    DeviceOption option;
    option.set_type("cpu");
    option.set_index(static_cast<int>(w));
    plan.arenas.push_back(
        plan_memory({{&nets.accumulate[w], &plan.accumulate[w]}, {&nets.step, &plan.step}}, option, outside));
    plan.memory.arena += plan.arenas.back().arena_bytes;
    plan.memory.other += plan.arenas.back().other_bytes;
    plan.memory.scratch += plan.arenas.back().scratch_bytes;
  }
  return plan;
}

std::vector<OpPlan> plan_init(const NetDef& init, const OpCatalog& catalog) {
  CpuDevice device;
  return plan_ops(init, catalog, {}, device, {});
}

std::vector<OpPlan> plan_test(const TestNets& nets, const OpCatalog& catalog, const Config& config) {
  std::map<std::string, TensorInfo> known = infer_shapes(nets.init, catalog, {});
  const std::string scope = device_scope({DeviceType::kCpu, config.root_gpu_id}) + "/";
  const std::int64_t multiple = minibatch_options(config).size_divisibility;
  known[scope + "data"] = {
      DType::kF32,
      {1, 3, rounded_up(config.input.min_size_test, multiple), rounded_up(config.input.max_size_test, multiple)}};
  known[scope + "im_info"] = {DType::kF32, {1, 3}};
  CpuDevice device(config.root_gpu_id, 1);
  return plan_ops(nets.net, catalog, known, device, {});
}

std::string memory_table(const MemoryUse& planned, const MemoryUse* measured) {
  std::string text = fmt::format("{:<12} {:>13}{}\n", "memory", "predicted MiB", measured ? "  measured MiB" : "");
  const auto line = [&](const char* name, std::size_t bytes, std::size_t found) {
    text += fmt::format("{:<12} {:>13}", name, mebibytes(bytes));
    if (measured != nullptr) text += fmt::format(" {:>13}", mebibytes(found));
    text += "\n";
  };
  const MemoryUse found = measured != nullptr ? *measured : MemoryUse();
  line("parameters", planned.parameters, found.parameters);
  line("momentum", planned.momentum, found.momentum);
  line("gradients", planned.gradients, found.gradients);
  line("arena", planned.arena, found.arena);
  line("other", planned.other, found.other);
  line("scratch", planned.scratch, found.scratch);
  line("all", planned.total(), found.total());
  return text;
}

}  // namespace lockstep
