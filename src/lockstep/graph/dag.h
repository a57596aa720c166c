// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lockstep/graph/net.pb.h"

namespace lockstep {

// What must wait for what in a net, by index of the operator. Every edge leads from an earlier operator to
// a later one.
struct Dag {
  std::vector<std::vector<int>> parents;   // sorted, without repeats
  std::vector<std::vector<int>> children;  // sorted, without repeats
};

// Read-after-write, write-after-write and write-after-read edges between the operators of `net`. A
// control input counts as read. (Caffe2's dag net, seed-systems §6.3.)
Dag build_dag(const NetDef& net);

}  // namespace lockstep
