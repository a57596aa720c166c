// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/all_reduce.h"

#include <fmt/ranges.h>

#include <map>

#include "lockstep/base/check.h"
#include "lockstep/collective/reduction_tree.h"

namespace lockstep {
namespace {

std::string worker_text(std::size_t worker, const DeviceId& device) {
  return fmt::format("worker {} ({})", worker, to_string(device));
}

}  // namespace

void require_matching_shares(const AllReduce& all_reduce) {
  const auto& shares = all_reduce.shares;
  LS_CHECK(kGraph, !shares.empty(), "all-reduce '{}' has no workers", all_reduce.name);
  const auto ranges = balanced_ranges(all_reduce.micro_batches, static_cast<int>(shares.size()));
  std::map<std::string, std::size_t> owners;
  const auto own = [&](const std::string& blob, std::size_t w) {
    const auto [found, is_new] = owners.emplace(blob, w);
    LS_CHECK(kGraph, is_new, "all-reduce '{}': blob '{}' stands for {} and again for {}", all_reduce.name, blob,
             worker_text(found->second, shares[found->second].device), worker_text(w, shares[w].device));
  };
  for (std::size_t w = 0; w < shares.size(); ++w) {
    const ReduceShare& share = shares[w];
    const std::size_t wanted = covering_nodes(all_reduce.micro_batches, ranges[w]).size();
    LS_CHECK(kGraph, share.nodes.size() == wanted,
             "all-reduce '{}': {} brings {} blobs ({}), but {} micro-batches on {} workers leave it {} tree nodes",
             all_reduce.name, worker_text(w, share.device), share.nodes.size(), fmt::join(share.nodes, ", "),
             all_reduce.micro_batches, shares.size(), wanted);
    for (const std::string& node : share.nodes) own(node, w);
    if (share.sum != share.nodes.front()) own(share.sum, w);
  }
}

void add_lockstep_all_reduce(NetBuilder& net, const AllReduce& all_reduce) {
  require_matching_shares(all_reduce);
  std::vector<std::string> nodes, sums;
  for (const ReduceShare& share : all_reduce.shares) {
    nodes.insert(nodes.end(), share.nodes.begin(), share.nodes.end());
    sums.push_back(share.sum);
  }
  const auto device = net.device_scope(all_reduce.device);
  net.add("LockstepAllReduce", nodes, sums, {arg("micro_batches", all_reduce.micro_batches)}, all_reduce.name);
}

AllReduceFunction all_reduce_named(const std::string& collective) {
  if (collective == "lockstep") return add_lockstep_all_reduce;
  if (collective == "tree") {
    return [](NetBuilder& net, const AllReduce& all_reduce) { add_tree_all_reduce(net, all_reduce); };
  }
  LS_THROW(kConfig, "all-reduce '{}' does not exist; there are lockstep and tree", collective);
}

std::vector<std::string> add_all_reduce(NetBuilder& net, const AllReduceFunction& reduce,
                                        const std::vector<std::string>& blobs, const std::vector<DeviceId>& devices,
                                        const std::string& affix) {
  std::vector<std::string> names;
  for (const DeviceId& device : devices) names.push_back(to_string(device));
  LS_CHECK(kGraph, !blobs.empty() && blobs.size() == devices.size(),
           "an all-reduce needs one blob per device, got {} blobs ({}) for {} devices ({})", blobs.size(),
           fmt::join(blobs, ", "), devices.size(), fmt::join(names, ", "));
  AllReduce all_reduce{blobs[0] + "_all_reduce", static_cast<int>(blobs.size()), {}, devices[0]};
  std::vector<std::string> sums;
  for (std::size_t w = 0; w < blobs.size(); ++w) {
    sums.push_back(blobs[w] + affix);
    all_reduce.shares.push_back({devices[w], {blobs[w]}, sums.back()});
  }
  reduce(net, all_reduce);
  return sums;
}

std::vector<std::vector<std::string>> pair_replicas(const std::vector<std::vector<std::string>>& blobs,
                                                    const std::vector<DeviceId>& devices) {
  LS_ASSERT(blobs.size() == devices.size() && !blobs.empty(), "{} lists of blobs for {} devices", blobs.size(),
            devices.size());
  // The whole scope with its slash: cpu_1/ is not the start of cpu_10/w.
  const auto inside = [&](std::size_t w, std::size_t i) {
    const std::string scope = device_scope(devices[w]) + "/";
    const std::string& name = blobs[w][i];
    LS_CHECK(kGraph, name.starts_with(scope), "blob '{}' of {} does not stand in its scope '{}'", name,
             worker_text(w, devices[w]), scope);
    return name.substr(scope.size());
  };
  for (std::size_t w = 1; w < blobs.size(); ++w) {
    LS_CHECK(kGraph, blobs[w].size() == blobs[0].size(),
             "replicas differ: {} has {} blobs to reduce ({}), {} has {} ({})", worker_text(0, devices[0]),
             blobs[0].size(), fmt::join(blobs[0], ", "), worker_text(w, devices[w]), blobs[w].size(),
             fmt::join(blobs[w], ", "));
  }
  std::vector<std::vector<std::string>> pairs(blobs[0].size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t w = 0; w < blobs.size(); ++w) {
      LS_CHECK(kGraph, inside(w, i) == inside(0, i),
               "replicas differ: blob {} to reduce is '{}' on {}, but '{}' on {}; build them in the same order", i,
               blobs[0][i], worker_text(0, devices[0]), blobs[w][i], worker_text(w, devices[w]));
      pairs[i].push_back(blobs[w][i]);
    }
  }
  return pairs;
}

}  // namespace lockstep
