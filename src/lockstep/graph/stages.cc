// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/stages.h"

#include <algorithm>
#include <string>

namespace lockstep {
namespace {

bool is_all_reduce(const OperatorDef& op) {
  // The operators of one all-reduce are called after it (collective/all_reduce.h).
  return op.type().ends_with("AllReduce") || op.name().find("_all_reduce") != std::string::npos;
}

}  // namespace

const char* stage_name(Stage stage) {
  switch (stage) {
    case Stage::kInput: return "input";
    case Stage::kForward: return "forward";
    case Stage::kBackward: return "backward";
    case Stage::kFold: return "fold";
    case Stage::kAllReduce: return "all-reduce";
    case Stage::kUpdate: return "update";
  }
  return "";
}

std::vector<Stage> stages_of(const NetDef& net) {
  // Gradient passes also hold plain operators, so all from the first to the last gradient operator is backward.
  int first = net.op_size(), last = net.op_size();
  for (int k = 0; k < net.op_size(); ++k) {
    if (!net.op(k).is_gradient_op()) continue;
    first = std::min(first, k);
    last = k;
  }
  std::vector<Stage> stages;
  for (int k = 0; k < net.op_size(); ++k) {
    const OperatorDef& op = net.op(k);
    if (op.type() == "DequeueBlobs") {
      stages.push_back(Stage::kInput);
    } else if (op.type() == "FoldGradient") {
      stages.push_back(Stage::kFold);
    } else if (is_all_reduce(op)) {
      stages.push_back(Stage::kAllReduce);
    } else if (k < first) {
      stages.push_back(Stage::kForward);
    } else {
      stages.push_back(k <= last ? Stage::kBackward : Stage::kUpdate);
    }
  }
  return stages;
}

}  // namespace lockstep
