// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lockstep/graph/net.pb.h"
#include "lockstep/graph/stages.h"

namespace lockstep::app {

// Adds up the time of the operators of a training net. add() may be called from the thread of each device at once:
// every operator runs on one thread only.
class StepClock {
 public:
  // `step` is the whole net of a step (TrainNets::step); the accumulate nets hold operators of the same names.
  explicit StepClock(const NetDef& step);

  void add(const OperatorDef& op, double seconds);  // kInternal for an operator of another net
  void next_step();                                 // what was added since the last call was one step
  void forget_step();                               // the same, but it does not count

  struct OpTime {
    std::string name, type;
    Stage stage = Stage::kForward;
    int device = 0;
    double seconds = 0;            // in the current step
    std::vector<double> per_step;  // of each step so far
  };
  const std::vector<OpTime>& ops() const { return ops_; }
  // Seconds of a stage in each step, averaged over the devices.
  std::vector<double> stage_seconds(Stage stage) const;

 private:
  std::vector<OpTime> ops_;
  std::map<std::string, std::size_t> index_;  // by type and name
  int devices_ = 1;
};

}  // namespace lockstep::app
