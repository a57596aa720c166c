// SPDX-License-Identifier: Apache-2.0
#include "lockstep/simulate/step_model.h"

#include <algorithm>
#include <set>

#include "lockstep/base/check.h"
#include "lockstep/graph/operator.h"
#include "lockstep/graph/stages.h"

namespace lockstep {
namespace {

constexpr int kWorkerLane = 0, kNetworkLane = 1;

void require_costs(const NetDef& step, const StepCosts& costs) {
  const auto size = static_cast<std::size_t>(step.op_size());
  LS_ASSERT(costs.op_seconds.size() == size && costs.reduced_bytes.size() == size,
            "costs of {} and messages of {} operators for the {} of net '{}'", costs.op_seconds.size(),
            costs.reduced_bytes.size(), size, step.name());
}

}  // namespace

double in_process_seconds(const NetDef& step, const StepCosts& costs) {
  require_costs(step, costs);
  std::vector<Task> tasks;
  for (int k = 0; k < step.op_size(); ++k) {
    const OperatorDef& op = step.op(k);
    const int lane = step.type() == "dag" ? op.device_option().index() : 0;
    tasks.push_back({lane, costs.op_seconds[static_cast<std::size_t>(k)], op.priority()});
  }
  return costs.accumulate_seconds + run_events(build_dag(step), tasks).seconds();
}

StepModel::StepModel(const NetDef& step, const StepCosts& costs, double bucket_bytes)
    : accumulate_seconds_(costs.accumulate_seconds) {
  require_costs(step, costs);
  LS_CHECK(kGraph, step.op_size() > 0, "net '{}' has no operators", step.name());
  const std::vector<Stage> stages = stages_of(step);
  const int device = step.op(0).device_option().index();
  std::vector<int> task_of(static_cast<std::size_t>(step.op_size()), -1);
  int bucket = -1;
  for (int k = 0; k < step.op_size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const OperatorDef& op = step.op(k);
    const bool reduces = stages[at] == Stage::kAllReduce;
    if (!reduces && op.device_option().index() != device) continue;
    if (reduces && bucket >= 0 && reduced_bytes_[static_cast<std::size_t>(bucket)] < bucket_bytes) {
      task_of[at] = bucket;
      reduced_bytes_[static_cast<std::size_t>(bucket)] += costs.reduced_bytes[at];
      continue;
    }
    task_of[at] = static_cast<int>(tasks_.size());
    if (reduces) bucket = task_of[at];
    tasks_.push_back({reduces ? kNetworkLane : kWorkerLane, reduces ? 0 : costs.op_seconds[at], op.priority()});
    reduced_bytes_.push_back(reduces ? costs.reduced_bytes[at] : 0);
  }
  LS_CHECK(kGraph, bucket >= 0, "net '{}' has no all-reduce: it was made for one worker", step.name());
  const Dag all = build_dag(step);
  std::vector<std::set<int>> parents(tasks_.size()), children(tasks_.size());
  for (std::size_t k = 0; k < all.parents.size(); ++k) {
    for (const int parent : all.parents[k]) {
      const int from = task_of[static_cast<std::size_t>(parent)], to = task_of[k];
      if (from < 0 || to < 0 || from == to) continue;
      parents[static_cast<std::size_t>(to)].insert(from);
      children[static_cast<std::size_t>(from)].insert(to);
    }
  }
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    dag_.parents.emplace_back(parents[t].begin(), parents[t].end());
    dag_.children.emplace_back(children[t].begin(), children[t].end());
  }
}

std::size_t StepModel::messages() const {
  return static_cast<std::size_t>(
      std::count_if(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.lane == kNetworkLane; }));
}

double StepModel::bytes() const {
  double sum = 0;
  for (const double bytes : reduced_bytes_) sum += bytes;
  return sum;
}

SimulatedStep StepModel::run(CollectiveAlgorithm algorithm, const Cluster& cluster) const {
  SimulatedStep step;
  step.compute_seconds = accumulate_seconds_ + run_events(dag_, tasks_).seconds();
  std::vector<Task> tasks = tasks_;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].lane != kNetworkLane) continue;
    tasks[t].seconds = all_reduce_seconds(algorithm, reduced_bytes_[t], cluster);
    step.communication_seconds += tasks[t].seconds;
  }
  step.seconds = accumulate_seconds_ + run_events(dag_, tasks).seconds();
  return step;
}

}  // namespace lockstep
