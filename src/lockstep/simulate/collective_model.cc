// SPDX-License-Identifier: Apache-2.0
#include "lockstep/simulate/collective_model.h"

#include <algorithm>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

double ring_seconds(int workers, double bytes, const Link& link) {
  return 2.0 * (workers - 1) * (link.latency + bytes / workers / link.bandwidth);
}

int levels_of_tree(int workers) {
  int levels = 0;
  while ((1LL << levels) < workers) ++levels;
  return levels;
}

}  // namespace

const char* algorithm_name(CollectiveAlgorithm algorithm) {
  switch (algorithm) {
    case CollectiveAlgorithm::kRing: return "ring";
    case CollectiveAlgorithm::kTree: return "tree";
    case CollectiveAlgorithm::kHierarchical: return "hierarchical";
  }
  return "";
}

CollectiveAlgorithm algorithm_named(const std::string& name) {
  for (const auto algorithm :
       {CollectiveAlgorithm::kRing, CollectiveAlgorithm::kTree, CollectiveAlgorithm::kHierarchical}) {
    if (name == algorithm_name(algorithm)) return algorithm;
  }
  LS_THROW(kConfig, "'{}' is no all-reduce; wanted ring, tree or hierarchical", name);
}

double all_reduce_seconds(CollectiveAlgorithm algorithm, double bytes, const Cluster& cluster) {
  LS_CHECK(kConfig, cluster.workers >= 1 && cluster.workers_per_host >= 1,
           "a cluster of {} workers with {} on a host; wanted at least 1", cluster.workers, cluster.workers_per_host);
  const int on_host = std::min(cluster.workers, cluster.workers_per_host);
  const int hosts = (cluster.workers + cluster.workers_per_host - 1) / cluster.workers_per_host;
  const Link& slowest = hosts > 1 ? cluster.between : cluster.inside;
  switch (algorithm) {
    case CollectiveAlgorithm::kRing: return ring_seconds(cluster.workers, bytes, slowest);
    case CollectiveAlgorithm::kTree:
      return 2.0 * levels_of_tree(cluster.workers) * (slowest.latency + bytes / slowest.bandwidth);
    case CollectiveAlgorithm::kHierarchical:
      return ring_seconds(on_host, bytes, cluster.inside) + ring_seconds(hosts, bytes, cluster.between);
  }
  return 0;
}

}  // namespace lockstep
