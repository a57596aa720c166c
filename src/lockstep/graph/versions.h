// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/graph/net.pb.h"

namespace lockstep {

// A blob as of its n-th write. Version 0 is what stood in the workspace before the net ran.
using BlobVersion = std::pair<std::string, int>;

// Which version of each blob every operator of a net reads and writes, in program order.
struct NetVersions {
  explicit NetVersions(const NetDef& net);

  struct Op {
    std::vector<BlobVersion> inputs;
    std::vector<BlobVersion> outputs;
  };
  std::vector<Op> ops;
  std::map<std::string, int> last;            // last version of every blob of the net
  std::map<std::string, int> first;           // 0 when the blob comes from outside, else 1
  std::map<BlobVersion, int> producer;        // op that writes a version; none for version 0
  std::map<BlobVersion, int> first_consumer;  // first op that reads a version
};

}  // namespace lockstep
