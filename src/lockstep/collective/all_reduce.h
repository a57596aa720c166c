// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lockstep/graph/net_builder.h"
#include "lockstep/tensor/device.h"

namespace lockstep {

// What one worker brings to an all-reduce and where it gets the sum.
struct ReduceShare {
  DeviceId device;
  // The blobs that it brings: the reduction-tree nodes of its micro-batches from left to right (reduction_tree.h).
  std::vector<std::string> nodes;
  std::string sum;  // the first of `nodes` (in place) or a blob of its own
};

// One all-reduce over all workers.
struct AllReduce {
  std::string name;                 // its operators are called after it; unique in the net
  int micro_batches = 1;            // B: leaves of the reduction tree
  std::vector<ReduceShare> shares;  // one per worker, in their order
  DeviceId device;                  // runs work that belongs to no worker
};

// Appends operators to `net` after which every worker's `sum` holds the sum of all nodes of all workers.
// kGraph, naming the blobs and both sides, when the shares do not fit together (require_matching_shares).
using AllReduceFunction = std::function<void(NetBuilder& net, const AllReduce& all_reduce)>;

// The canonical order: the bits are the same for every number of workers. One operator.
void add_lockstep_all_reduce(NetBuilder& net, const AllReduce& all_reduce);

// Whether an operator on one device may read the memory of the other: all CPU devices of a process share theirs.
using PeerAccess = std::function<bool(const DeviceId& reader, const DeviceId& owner)>;
bool shares_memory(const DeviceId& reader, const DeviceId& owner);

// Caffe2's muji: additions and copies along a tree of 2, 4 or 8 workers, else through the first worker one after
// another. The bits depend on the number of workers. Which tree is taken depends on the devices of the workers: those
// that can read each other's memory are brought together first; 2 and 4 workers need one such group, or 4 two groups of
// two, or 8 two groups of four; everything else takes the way through the first worker, which copies before it adds.
void add_tree_all_reduce(NetBuilder& net, const AllReduce& all_reduce);
void add_tree_all_reduce(NetBuilder& net, const AllReduce& all_reduce, const PeerAccess& can_read);

// What SOLVER.COLLECTIVE names: "lockstep" or "tree"; kConfig for anything else.
AllReduceFunction all_reduce_named(const std::string& collective);

// All-reduces one blob per device into `<blob><affix>`, in place with an empty affix; returns the blobs with the sums.
// (Caffe2's muji.Allreduce.) kGraph when there are not as many blobs as devices, or none.
std::vector<std::string> add_all_reduce(NetBuilder& net, const AllReduceFunction& reduce,
                                        const std::vector<std::string>& blobs, const std::vector<DeviceId>& devices,
                                        const std::string& affix = "_reduced");

// kGraph unless there are workers, each worker is there with the nodes that the tree leaves it, its sum is its first
// node or new, and no blob stands in two places.
void require_matching_shares(const AllReduce& all_reduce);

// Pairs the blobs of replicas by order: result[i] holds blob i of every device. `blobs` holds one list per device, in
// order of creation. kGraph, naming both sides, when the lists differ in length or when blobs of one index have
// different names inside their device scopes.
std::vector<std::vector<std::string>> pair_replicas(const std::vector<std::vector<std::string>>& blobs,
                                                    const std::vector<DeviceId>& devices);

}  // namespace lockstep
