// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/liveness.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace lockstep {

std::vector<Temporary> find_temporaries(const NetDef& net) {
  std::set<std::string> kept(net.external_input().begin(), net.external_input().end());
  kept.insert(net.external_output().begin(), net.external_output().end());
  std::vector<Temporary> found;
  std::unordered_map<std::string, std::size_t> index;
  for (int k = 0; k < net.op_size(); ++k) {
    const OperatorDef& op = net.op(k);
    const auto use = [&](const std::string& name) {
      std::vector<int>& users = found[index.at(name)].users;
      if (users.empty() || users.back() != k) users.push_back(k);
    };
    for (const std::string& name : op.input()) {
      if (index.contains(name)) {
        use(name);
      } else {
        kept.insert(name);
      }
    }
    for (const std::string& name : op.output()) {
      if (kept.contains(name)) continue;
      if (index.try_emplace(name, found.size()).second) found.push_back({name, {}});
      use(name);
    }
  }
  return found;
}

}  // namespace lockstep
