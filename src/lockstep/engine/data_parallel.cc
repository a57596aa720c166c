// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/data_parallel.h"

#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/data/minibatch.h"
#include "lockstep/engine/loader_net.h"
#include "lockstep/graph/gradient.h"
#include "lockstep/graph/operator.h"
#include "lockstep/graph/validate.h"
#include "lockstep/modeling/generalized_rcnn.h"
#include "lockstep/ops/catalog.h"
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

std::vector<const Parameter*> trainable(const Model& model) {
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : model.parameters()) {
    if (parameter.trainable && parameter.kind != ParameterKind::kBuffer) found.push_back(&parameter);
  }
  return found;
}

// Gradients come into being in reverse order of creation.
std::vector<const Parameter*> in_order_of_gradients(const Model& model) {
  std::vector<const Parameter*> parameters = trainable(model);
  std::reverse(parameters.begin(), parameters.end());
  return parameters;
}

std::string replica_blob(const DeviceId& device, const std::string& name) { return device_scope(device) + "/" + name; }

std::string slot_blob(const std::string& gradient, int slot) { return gradient + "_node_" + std::to_string(slot); }

// The blobs with a worker's tree nodes of one gradient, from left to right.
std::vector<std::string> node_blobs(const std::string& gradient, int micro_batches, MicroBatchRange range) {
  if (range.size() == 1) return {gradient};
  std::vector<std::string> blobs;
  const auto nodes = covering_nodes(micro_batches, range);
  for (std::size_t i = 0; i < nodes.size(); ++i) blobs.push_back(slot_blob(gradient, static_cast<int>(i)));
  return blobs;
}

// For each parameter its gradient on every device.
std::vector<std::vector<std::string>> paired_gradients(const std::vector<const Parameter*>& parameters,
                                                       const std::map<std::string, std::string>& gradients,
                                                       const std::vector<DeviceId>& devices) {
  std::vector<std::vector<std::string>> replicas;
  for (const DeviceId& device : devices) {
    std::vector<std::string>& blobs = replicas.emplace_back();
    for (const Parameter* parameter : parameters) blobs.push_back(gradients.at(replica_blob(device, parameter->name)));
  }
  return pair_replicas(replicas, devices);
}

std::int64_t gradient_bytes(const Parameter& parameter) {
  std::int64_t bytes = sizeof(float);
  for (const std::int64_t size : parameter.shape) bytes *= size;
  return bytes;
}

void add_update_ops(Model& model, const std::vector<ParameterRule>& rules,
                    const std::map<std::string, std::string>& gradients, const SolverConfig& solver,
                    const std::vector<MicroBatchRange>& ranges, const std::vector<DeviceId>& devices,
                    bool is_only_worker) {
  for (std::size_t w = 0; w < devices.size(); ++w) {
    NetBuilder& net = model.net();
    NetBuilder& init = model.init();
    const std::string scope = device_scope(devices[w]);
    const auto net_name = net.name_scope(scope);
    const auto net_device = net.device_scope(devices[w]);
    const auto init_name = init.name_scope(scope);
    const auto init_device = init.device_scope(devices[w]);
    add_update_constants(init, rules);
    for (std::size_t p = 0; p < rules.size(); ++p) {
      if (!rules[p].trainable) continue;
      std::string gradient = gradients.at(net.scoped(rules[p].name));
      // A single worker folds to the root of the tree, which no all-reduce copies back.
      if (is_only_worker && ranges[w].size() > 1) gradient = slot_blob(gradient, 0);
      add_parameter_update_ops(net, init, rules[p], model.parameters()[p].shape, gradient, solver);
    }
  }
}

// The ops of one device among the first `count` of a net, as a net of their own.
NetDef device_part(const NetDef& net, int count, const DeviceId& device, const std::string& name) {
  NetDef part;
  part.set_name(name);
  part.set_type("simple");
  const std::string prefix = device_scope(device) + "/";
  for (int i = 0; i < count; ++i) {
    const DeviceOption& option = net.op(i).device_option();
    if (device_id(option) == device) *part.add_op() = net.op(i);
  }
  for (const std::string& input : net.external_input()) {
    if (input.starts_with(prefix)) part.add_external_input(input);
  }
  for (const std::string& output : net.external_output()) {
    if (part.op_size() > 0 && output.starts_with(prefix)) part.add_external_output(output);
  }
  return part;
}

}  // namespace

MicroBatchRange Placement::local_workers() const {
  LS_CHECK(kConfig, processes >= 1 && processes <= workers,
           "{} processes have only {} workers to share; start fewer processes, or raise --workers (the total)",
           processes, workers);
  return balanced_ranges(workers, processes)[static_cast<std::size_t>(rank)];
}

int micro_batches_per_step(const SolverConfig& solver) {
  LS_CHECK(kConfig, solver.ims_per_micro_batch >= 1 && solver.ims_per_batch >= 1,
           "SOLVER.IMS_PER_BATCH ({}) and SOLVER.IMS_PER_MICRO_BATCH ({}) must be at least 1", solver.ims_per_batch,
           solver.ims_per_micro_batch);
  LS_CHECK(kConfig, solver.ims_per_batch % solver.ims_per_micro_batch == 0,
           "SOLVER.IMS_PER_BATCH ({}) is not a multiple of SOLVER.IMS_PER_MICRO_BATCH ({}); use for example {}",
           solver.ims_per_batch, solver.ims_per_micro_batch,
           std::max<std::int64_t>(1, solver.ims_per_batch / solver.ims_per_micro_batch) * solver.ims_per_micro_batch);
  return static_cast<int>(solver.ims_per_batch / solver.ims_per_micro_batch);
}

std::vector<Losses> build_data_parallel_model(Model& model, const std::vector<DeviceId>& devices,
                                              const SingleDeviceBuilder& build) {
  std::vector<Losses> all;
  for (const DeviceId& device : devices) {
    const auto scopes = model.replica(device);
    all.push_back(build(model));
    std::vector<std::string> inputs = {batch_blobs(model).sample_ids};
    for (const auto& [name, blob] : all.back()) inputs.push_back(blob);
    model.net().add("RequireFinite", inputs, {}, {}, model.scoped("require_finite"));
  }
  return all;
}

void add_fold_ops(Model& model, const std::map<std::string, std::string>& gradients, int micro_batches,
                  const std::vector<MicroBatchRange>& ranges) {
  for (std::size_t w = 0; w < ranges.size(); ++w) {
    if (ranges[w].size() == 1) continue;
    const DeviceId& device = model.devices()[w];
    const auto net_device = model.net().device_scope(device);
    const auto init_device = model.init().device_scope(device);
    for (const Parameter* parameter : trainable(model)) {
      const std::string gradient = gradients.at(replica_blob(device, parameter->name));
      std::vector<std::string> inputs = {gradient, replica_blob(device, "micro_batch_index")};
      std::vector<std::string> slots;
      for (int slot = 0; slot < fold_slots(micro_batches, ranges[w]); ++slot) {
        slots.push_back(slot_blob(gradient, slot));
        model.init().add("ConstantFill", {}, {slots.back()}, {arg("shape", parameter->shape), arg("value", 0.0)});
      }
      inputs.insert(inputs.end(), slots.begin(), slots.end());
      model.net().add("FoldGradient", inputs, slots,
                      {arg("micro_batches", micro_batches), arg("begin", ranges[w].begin), arg("end", ranges[w].end)},
                      gradient + "_fold");
    }
  }
}

void add_all_reduce_ops(Model& model, const std::map<std::string, std::string>& gradients, int micro_batches,
                        const std::vector<MicroBatchRange>& ranges, const AllReduceFunction& reduce) {
  const std::vector<DeviceId>& devices = model.devices();
  if (devices.size() == 1) return;
  const std::vector<const Parameter*> parameters = in_order_of_gradients(model);
  const auto pairs = paired_gradients(parameters, gradients, devices);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    // The devices take turns so that they share the work.
    AllReduce all_reduce{parameters[i]->name + "_all_reduce", micro_batches, {}, devices[i % devices.size()]};
    for (std::size_t w = 0; w < devices.size(); ++w) {
      all_reduce.shares.push_back({devices[w], node_blobs(pairs[i][w], micro_batches, ranges[w]), pairs[i][w]});
    }
    reduce(model.net(), all_reduce);
  }
}

void add_process_all_reduce_ops(Model& model, const std::map<std::string, std::string>& gradients, int micro_batches,
                                const std::vector<MicroBatchRange>& ranges, const Placement& placement,
                                std::int64_t bucket_bytes, const std::string& order) {
  const std::vector<DeviceId>& devices = model.devices();
  const std::vector<const Parameter*> parameters = in_order_of_gradients(model);
  const auto pairs = paired_gradients(parameters, gradients, devices);
  const auto device = model.net().device_scope({DeviceType::kCpu, static_cast<int>(devices.size())});
  std::size_t first = 0;
  for (int bucket = 0; first < pairs.size(); ++bucket) {
    std::size_t last = first;
    for (std::int64_t bytes = gradient_bytes(*parameters[first]); ++last < pairs.size();) {
      bytes += gradient_bytes(*parameters[last]);
      if (bytes > bucket_bytes) break;
    }
    std::vector<std::string> nodes = {kProcessGroupBlob}, sums = {kProcessGroupBlob};
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t w = 0; w < devices.size(); ++w) {
        const auto own = node_blobs(pairs[i][w], micro_batches, ranges[w]);
        nodes.insert(nodes.end(), own.begin(), own.end());
        sums.push_back(pairs[i][w]);
      }
    }
    model.net().add("ProcessAllReduce", nodes, sums,
                    {arg("micro_batches", micro_batches), arg("workers", placement.workers),
                     arg("processes", placement.processes), arg("rank", placement.rank), arg("order", order)},
                    fmt::format("all_reduce_bucket_{}", bucket));
    first = last;
  }
}

void add_inputs(NetDef& net, const std::vector<DeviceId>& devices) {
  std::vector<OperatorDef> dequeues;
  std::vector<std::string> filled;
  for (const DeviceId& device : devices) {
    dequeues.push_back(dequeue_op(device, "roi_blobs_queue", minibatch_fields()));
    const OperatorDef& op = dequeues.back();
    filled.insert(filled.end(), op.output().begin(), op.output().end());
  }
  NetDef with_inputs = net;
  with_inputs.clear_op();
  with_inputs.clear_external_input();
  for (const OperatorDef& op : dequeues) {
    *with_inputs.add_op() = op;
    with_inputs.add_external_input(op.input(0));
  }
  for (const OperatorDef& op : net.op()) *with_inputs.add_op() = op;
  for (const std::string& input : net.external_input()) {
    if (std::find(filled.begin(), filled.end(), input) == filled.end()) with_inputs.add_external_input(input);
  }
  net = std::move(with_inputs);
}

TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, int workers) {
  return build_train_nets(config, catalog, Placement{workers});
}

TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, int workers,
                           const SingleDeviceBuilder& build) {
  return build_train_nets(config, catalog, Placement{workers}, build);
}

TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, const Placement& placement) {
  const double loss_scale = 1.0 / micro_batches_per_step(config.solver);
  return build_train_nets(config, catalog, placement,
                          [&](Model& model) { return add_generalized_rcnn_training(model, config, loss_scale); });
}

TrainNets build_train_nets(const Config& config, const OpCatalog& catalog, const Placement& placement,
                           const SingleDeviceBuilder& build) {
  TrainNets nets;
  nets.placement = placement;
  nets.micro_batches = micro_batches_per_step(config.solver);
  const MicroBatchRange local = placement.local_workers();
  const int workers = local.size();
  const auto all_ranges = balanced_ranges(nets.micro_batches, placement.workers);
  nets.ranges.assign(all_ranges.begin() + local.begin, all_ranges.begin() + local.end);
  std::vector<DeviceId> devices;
  for (int w = 0; w < workers; ++w) devices.push_back({DeviceType::kCpu, w});

  Model model("step", config.model.execution_type, true);
  nets.losses = build_data_parallel_model(model, devices, build);
  std::map<std::string, std::string> seeds;
  for (const Losses& losses : nets.losses) {
    for (const auto& [name, blob] : losses) seeds[blob] = "";
  }
  const auto gradients = add_gradient_operators(model.net().net(), catalog, seeds, model.trainable_blobs());
  add_fold_ops(model, gradients, nets.micro_batches, nets.ranges);
  const int accumulate_ops = model.net().net().op_size();
  if (placement.processes > 1) {
    add_process_all_reduce_ops(model, gradients, nets.micro_batches, nets.ranges, placement, config.solver.bucket_bytes,
                               config.solver.collective == "lockstep" ? "tree" : "any");
  } else {
    add_all_reduce_ops(model, gradients, nets.micro_batches, nets.ranges, all_reduce_named(config.solver.collective));
  }
  nets.rules = parameter_rules(model.parameters(), config.solver);
  add_update_ops(model, nets.rules, gradients, config.solver, nets.ranges, devices, placement.workers == 1);

  nets.step = model.net().net();
  add_inputs(nets.step, devices);
  // What is read after each micro-batch; everything else may give up its memory.
  for (int w = 0; w < workers; ++w) {
    nets.step.add_external_output(replica_blob(devices[w], "sample_ids"));
    for (const auto& [name, blob] : nets.losses[w]) nets.step.add_external_output(blob);
  }
  for (int w = 0; w < workers; ++w) {
    const std::string name = "accumulate_" + device_scope(devices[w]);
    const bool used = nets.ranges[w].size() > 1;
    nets.accumulate.push_back(device_part(nets.step, used ? accumulate_ops + workers : 0, devices[w], name));
  }
  nets.init = model.init().net();
  nets.parameters = model.parameters();
  return nets;
}

TestNets build_test_nets(const Config& config) {
  Model model("test", "simple", false);
  TestNets nets;
  {
    const auto scopes = model.replica({DeviceType::kCpu, config.root_gpu_id});
    nets.detections = add_generalized_rcnn_test(model, config);
  }
  nets.init = model.init().net();
  nets.net = model.net().net();
  nets.parameters = model.parameters();
  return nets;
}

std::map<std::string, TensorInfo> parameter_infos(const TrainNets& nets, const OpCatalog& catalog) {
  std::map<std::string, TensorInfo> infos = infer_shapes(nets.init, catalog, {});
  for (std::size_t w = 0; w < nets.ranges.size(); ++w) {
    const DeviceId device{DeviceType::kCpu, static_cast<int>(w)};
    infos[replica_blob(device, "micro_batch_index")] = {DType::kI32, {1}};
  }
  if (nets.placement.processes > 1) infos[kProcessGroupBlob] = {DType::kF32, {0}};
  return infos;
}

OpCatalog full_catalog() {
  OpCatalog catalog;
  register_ops(catalog);
  register_collective_ops(catalog);
  register_solver_ops(catalog);
  return catalog;
}

}  // namespace lockstep
