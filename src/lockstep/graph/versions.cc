// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/versions.h"

namespace lockstep {

NetVersions::NetVersions(const NetDef& net) {
  for (const std::string& name : net.external_input()) {
    last[name] = 0;
    first[name] = 0;
  }
  for (int k = 0; k < net.op_size(); ++k) {
    Op op;
    for (const std::string& name : net.op(k).input()) {
      first.try_emplace(name, 0);
      op.inputs.emplace_back(name, last[name]);
      first_consumer.try_emplace(op.inputs.back(), k);
    }
    for (const std::string& name : net.op(k).output()) {
      first.try_emplace(name, 1);
      op.outputs.emplace_back(name, ++last[name]);
      producer[op.outputs.back()] = k;
    }
    ops.push_back(std::move(op));
  }
}

}  // namespace lockstep
