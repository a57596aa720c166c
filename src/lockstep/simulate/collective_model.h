// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

// The alpha-beta model of a link: a message of n bytes takes latency + n / bandwidth seconds.
struct Link {
  double latency = 0;    // seconds
  double bandwidth = 1;  // bytes per second, each way
};

// Workers on hosts. The last host may be less full.
struct Cluster {
  int workers = 1;
  int workers_per_host = 1;
  Link between;  // hosts
  Link inside;   // a host
};

enum class CollectiveAlgorithm { kRing, kTree, kHierarchical };
const char* algorithm_name(CollectiveAlgorithm algorithm);
CollectiveAlgorithm algorithm_named(const std::string& name);  // kConfig for any other than ring, tree, hierarchical

// Seconds of one all-reduce of `bytes` per worker, for W workers on H hosts (Thakur, Rabenseifner and Gropp,
// "Optimization of collective communication operations in MPICH", 2005; without the time of the additions):
//   ring          2 (W - 1) (latency + bytes / W / bandwidth): reduce-scatter, then all-gather
//   tree          2 ceil(log2 W) (latency + bytes / bandwidth): binomial reduction to one worker, then broadcast
//   hierarchical  a ring inside each host of L workers and one between the hosts, in which the L workers of a host
//   share
//                 its link: 2 (L - 1) (latency + bytes / L / bandwidth) inside, 2 (H - 1) (latency + bytes / H /
//                 bandwidth) between
// Ring and tree are as slow as their slowest link: that between hosts unless all workers are on one. 0 for one worker.
double all_reduce_seconds(CollectiveAlgorithm algorithm, double bytes, const Cluster& cluster);

}  // namespace lockstep
