// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lockstep/graph/dag.h"

namespace lockstep {

// One operator as the dag executor sees it.
struct Task {
  int lane = 0;
  double seconds = 0;
  int priority = 0;
};

// When each task ran.
struct Timeline {
  std::vector<double> begin, end;
  double seconds() const;            // until the last one ended
  std::vector<double> busy() const;  // per lane
  std::vector<int> lane;             // per task
};

// Discrete-event run with the rules of the executor (graph/dag_net.h): a lane runs one task at a time and never waits
// while one is ready; of those that are, it takes the highest priority and then the first in program order.
Timeline run_events(const Dag& dag, const std::vector<Task>& tasks);

}  // namespace lockstep
