// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/dag.h"

#include <set>
#include <string>
#include <unordered_map>

namespace lockstep {
namespace {

struct BlobUse {
  int writer = -1;           // of the current version; -1 when it comes from outside
  std::vector<int> readers;  // since the last write
};

}  // namespace

Dag build_dag(const NetDef& net) {
  std::vector<std::set<int>> parents(static_cast<std::size_t>(net.op_size()));
  std::unordered_map<std::string, BlobUse> blobs;
  for (int k = 0; k < net.op_size(); ++k) {
    std::set<int>& mine = parents[static_cast<std::size_t>(k)];
    const auto read = [&](const std::string& name) {
      BlobUse& use = blobs[name];
      if (use.writer >= 0) mine.insert(use.writer);
      use.readers.push_back(k);
    };
    for (const std::string& name : net.op(k).input()) read(name);
    for (const std::string& name : net.op(k).control_input()) read(name);
    for (const std::string& name : net.op(k).output()) {
      BlobUse& use = blobs[name];
      if (use.writer >= 0) mine.insert(use.writer);
      mine.insert(use.readers.begin(), use.readers.end());
      use = {k, {}};
    }
    mine.erase(k);
  }
  Dag dag;
  dag.children.resize(parents.size());
  for (std::size_t k = 0; k < parents.size(); ++k) {
    dag.parents.emplace_back(parents[k].begin(), parents[k].end());
    for (const int parent : parents[k]) dag.children[static_cast<std::size_t>(parent)].push_back(static_cast<int>(k));
  }
  return dag;
}

}  // namespace lockstep
