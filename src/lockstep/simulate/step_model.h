// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lockstep/graph/net.pb.h"
#include "lockstep/simulate/collective_model.h"
#include "lockstep/simulate/event_run.h"

namespace lockstep {

// What running a step's net costs.
struct StepCosts {
  std::vector<double> op_seconds;     // of one run of each operator of the net
  std::vector<double> reduced_bytes;  // that an all-reduce operator sums for each worker; 0 for others
  double accumulate_seconds = 0;      // of the micro-batches before the last, which run before the net
};

// Seconds of a step of the workers of one process, all of whose operators, the all-reduces too, cost what `costs` says.
// The net is in program order; a net for "simple" runs on one lane.
double in_process_seconds(const NetDef& step, const StepCosts& costs);

struct SimulatedStep {
  double seconds = 0;
  double compute_seconds = 0;        // of the same step if communication cost nothing: that of one worker alone
  double communication_seconds = 0;  // of all all-reduces, hidden behind operators or not
  double exposed_seconds() const { return seconds - compute_seconds; }
  // Weak scaling: every worker has the micro-batches that it has alone.
  double efficiency() const { return compute_seconds / seconds; }
};

// One worker of many: the operators of the first device of a net for several workers, and its all-reduces on a lane of
// their own, the network. All workers are alike, so one of them and its network show the whole step.
class StepModel {
 public:
  // All-reduces that are next to each other in the net share one message until it has `bucket_bytes`; 0: each its own.
  // kGraph when the net has no all-reduce.
  StepModel(const NetDef& step, const StepCosts& costs, double bucket_bytes);

  std::size_t messages() const;  // all-reduces in a step
  double bytes() const;          // that a step sums for each worker
  SimulatedStep run(CollectiveAlgorithm algorithm, const Cluster& cluster) const;

 private:
  Dag dag_;
  std::vector<Task> tasks_;
  std::vector<double> reduced_bytes_;  // per task
  double accumulate_seconds_;
};

}  // namespace lockstep
