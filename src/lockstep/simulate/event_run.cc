// SPDX-License-Identifier: Apache-2.0
#include "lockstep/simulate/event_run.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "lockstep/base/check.h"

namespace lockstep {

double Timeline::seconds() const { return end.empty() ? 0 : *std::max_element(end.begin(), end.end()); }

std::vector<double> Timeline::busy() const {
  std::vector<double> seconds;
  for (std::size_t k = 0; k < lane.size(); ++k) {
    const auto at = static_cast<std::size_t>(lane[k]);
    if (seconds.size() <= at) seconds.resize(at + 1);
    seconds[at] += end[k] - begin[k];
  }
  return seconds;
}

Timeline run_events(const Dag& dag, const std::vector<Task>& tasks) {
  LS_ASSERT(dag.parents.size() == tasks.size(), "{} tasks for {} nodes of the dag", tasks.size(), dag.parents.size());
  struct Lane {
    std::priority_queue<std::pair<int, int>> ready;  // priority, then the lowest index
    bool busy = false;
  };
  int lanes = 0;
  for (const Task& task : tasks) lanes = std::max(lanes, task.lane + 1);
  std::vector<Lane> all(static_cast<std::size_t>(lanes));
  std::vector<int> waiting_for;
  Timeline timeline;
  timeline.begin.resize(tasks.size());
  timeline.end.resize(tasks.size());
  const auto make_ready = [&](std::size_t k) {
    all[static_cast<std::size_t>(tasks[k].lane)].ready.push({tasks[k].priority, -static_cast<int>(k)});
  };
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    timeline.lane.push_back(tasks[k].lane);
    waiting_for.push_back(static_cast<int>(dag.parents[k].size()));
    if (dag.parents[k].empty()) make_ready(k);
  }
  using Ending = std::pair<double, int>;  // time and task
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> running;
  double now = 0;
  while (true) {
    for (Lane& lane : all) {
      if (lane.busy || lane.ready.empty()) continue;
      const auto k = static_cast<std::size_t>(-lane.ready.top().second);
      lane.ready.pop();
      lane.busy = true;
      timeline.begin[k] = now;
      timeline.end[k] = now + tasks[k].seconds;
      running.push({timeline.end[k], static_cast<int>(k)});
    }
    if (running.empty()) return timeline;
    now = running.top().first;
    while (!running.empty() && running.top().first == now) {
      const auto k = static_cast<std::size_t>(running.top().second);
      running.pop();
      all[static_cast<std::size_t>(tasks[k].lane)].busy = false;
      for (const int child : dag.children[k]) {
        if (--waiting_for[static_cast<std::size_t>(child)] == 0) make_ready(static_cast<std::size_t>(child));
      }
    }
  }
}

}  // namespace lockstep
