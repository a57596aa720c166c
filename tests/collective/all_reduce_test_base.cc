// SPDX-License-Identifier: Apache-2.0
#include "collective/all_reduce_test_base.h"

#include <fmt/ranges.h>

#include <numeric>

#include "lockstep/collective/collective_ops.h"
#include "lockstep/ops/catalog.h"

namespace lockstep::test {
namespace {

const Shape kShape = {1, 2, 3, 4};

const OpCatalog& catalog() {
  static const OpCatalog catalog = [] {
    OpCatalog all;
    register_ops(all);
    register_collective_ops(all);
    return all;
  }();
  return catalog;
}

// What is wrong with one result; nothing when it holds `wanted` everywhere.
std::string difference(const Tensor& tensor, float wanted) {
  if (tensor.dtype() != DType::kF32 || tensor.shape() != kShape) {
    return fmt::format("is {}, wanted f32[1,2,3,4]", tensor.describe());
  }
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const float found = tensor.data<float>()[i];
    if (found != wanted) return fmt::format("holds {} at element {}, wanted {}", found, i, wanted);
  }
  return "";
}

}  // namespace

CollectiveWorld::CollectiveWorld(const std::vector<int>& device_ids) {
  environment.catalog = &catalog();
  environment.workspace = &workspace;
  for (const int id : device_ids) {
    devices_.push_back(std::make_unique<PlainDevice>(DeviceId{DeviceType::kCpu, id}));
    environment.devices.push_back(devices_.back().get());
  }
}

std::vector<DeviceId> CollectiveWorld::device_ids() const {
  std::vector<DeviceId> ids;
  for (const auto& device : devices_) ids.push_back(device->id());
  return ids;
}

std::string all_reduce_failure(const AllReduceFunction& reduce, const AllReduceCase& one) {
  CollectiveWorld world(one.device_ids);
  world.workspace.reset();
  std::vector<std::string> blobs;
  for (const DeviceId& device : world.device_ids()) {
    Tensor value(DType::kF32, kShape);
    std::fill_n(value.data<float>(), value.size(), static_cast<float>(device.index + 1));
    blobs.push_back(device_scope(device) + "/blob");
    world.workspace.feed(blobs.back(), value);
  }
  NetBuilder net("all_reduce", one.executor);
  const std::vector<std::string> sums = add_all_reduce(net, reduce, blobs, world.device_ids(), one.affix);
  run_net_once(net.net(), world.environment);

  const auto& ids = one.device_ids;
  const int wanted = std::accumulate(ids.begin(), ids.end(), static_cast<int>(ids.size()));
  const std::vector<std::string> present = world.workspace.names();
  std::string failure;
  for (std::size_t w = 0; w < ids.size(); ++w) {
    const bool there = std::find(present.begin(), present.end(), sums[w]) != present.end();
    const std::string wrong =
        there ? difference(world.workspace.fetch(sums[w]), static_cast<float>(wanted)) : "is not there";
    if (!wrong.empty()) failure += fmt::format("device cpu:{}: blob '{}' {}\n", ids[w], sums[w], wrong);
  }
  if (failure.empty()) return "";
  return fmt::format("{}devices {}, {} net; blobs: {}\n", failure, fmt::join(ids, ", "), one.executor,
                     fmt::join(present, ", "));
}

}  // namespace lockstep::test
