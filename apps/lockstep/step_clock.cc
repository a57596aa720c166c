// SPDX-License-Identifier: Apache-2.0
#include "step_clock.h"

#include <algorithm>

#include "lockstep/base/check.h"

namespace lockstep::app {
namespace {

// Names alone may repeat: gradient operators are named after blobs.
std::string key_of(const OperatorDef& op) { return op.type() + ' ' + op.name(); }

}  // namespace

StepClock::StepClock(const NetDef& step) {
  const std::vector<Stage> stages = stages_of(step);
  for (int k = 0; k < step.op_size(); ++k) {
    const OperatorDef& op = step.op(k);
    LS_ASSERT(index_.emplace(key_of(op), ops_.size()).second, "net '{}' has the operator {} '{}' twice", step.name(),
              op.type(), op.name());
    ops_.push_back({op.name(), op.type(), stages[static_cast<std::size_t>(k)], op.device_option().index(), 0, {}});
    devices_ = std::max(devices_, op.device_option().index() + 1);
  }
}

void StepClock::add(const OperatorDef& op, double seconds) {
  const auto found = index_.find(key_of(op));
  LS_ASSERT(found != index_.end(), "operator '{}' is not in the step's net", op.name());
  ops_[found->second].seconds += seconds;
}

void StepClock::next_step() {
  for (OpTime& op : ops_) {
    op.per_step.push_back(op.seconds);
    op.seconds = 0;
  }
}

void StepClock::forget_step() {
  for (OpTime& op : ops_) op.seconds = 0;
}

std::vector<double> StepClock::stage_seconds(Stage stage) const {
  std::vector<double> seconds(ops_.empty() ? 0 : ops_[0].per_step.size());
  for (const OpTime& op : ops_) {
    if (op.stage != stage) continue;
    for (std::size_t s = 0; s < seconds.size(); ++s) seconds[s] += op.per_step[s] / devices_;
  }
  return seconds;
}

}  // namespace lockstep::app
