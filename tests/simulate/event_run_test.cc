// SPDX-License-Identifier: Apache-2.0
#include "lockstep/simulate/event_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "lockstep/base/philox.h"

namespace lockstep {
namespace {

using testing::ElementsAre;

Dag dag_of(std::size_t size, const std::vector<std::pair<int, int>>& edges) {
  Dag dag;
  dag.parents.resize(size);
  dag.children.resize(size);
  for (const auto& [from, to] : edges) {
    dag.children[static_cast<std::size_t>(from)].push_back(to);
    dag.parents[static_cast<std::size_t>(to)].push_back(from);
  }
  return dag;
}

TEST(EventRun, ALaneTakesPriorityThenProgramOrderAndOthersRunBeside) {
  // 0 and 1 are ready on lane 0, 2 waits for 1, 3 runs on lane 1 after 1.
  const Dag dag = dag_of(4, {{1, 2}, {1, 3}});
  const Timeline in_order = run_events(dag, {{0, 1.0}, {0, 2.0}, {0, 4.0}, {1, 8.0}});
  EXPECT_THAT(in_order.begin, ElementsAre(0, 1, 3, 3));
  EXPECT_EQ(in_order.seconds(), 11);
  EXPECT_THAT(in_order.busy(), ElementsAre(7, 8));
  const Timeline by_priority = run_events(dag, {{0, 1.0, -1}, {0, 2.0}, {0, 4.0}, {1, 8.0}});
  EXPECT_THAT(by_priority.begin, ElementsAre(6, 0, 2, 2));
  EXPECT_EQ(by_priority.seconds(), 10);
}

TEST(EventRun, NothingTakesNoTime) { EXPECT_EQ(run_events({}, {}).seconds(), 0); }

// Graham's bounds of list scheduling (1966) hold for every run: no less than the critical path and the fullest lane, no
// more than one after the other; parents end before children begin, and a lane runs one task at a time.
TEST(EventRun, RandomDagsKeepTheRules) {
  for (int trial = 0; trial < 50; ++trial) {
    PhiloxStream random(7, static_cast<std::uint64_t>(trial), philox_key("dag"));
    const int size = 60;
    std::vector<Task> tasks;
    std::vector<std::pair<int, int>> edges;
    for (int k = 0; k < size; ++k) {
      tasks.push_back({static_cast<int>(random.below(3)), 0.5 + random.uniform(), static_cast<int>(random.below(2))});
      for (int parent = 0; parent < k; ++parent) {
        if (random.below(10) == 0) edges.emplace_back(parent, k);
      }
    }
    const Timeline run = run_events(dag_of(size, edges), tasks);
    std::vector<double> path(size);
    double longest = 0, sum = 0;
    for (std::size_t k = 0; k < size; ++k) {
      for (const auto& [from, to] : edges) {
        if (to == static_cast<int>(k)) path[k] = std::max(path[k], path[static_cast<std::size_t>(from)]);
      }
      path[k] += tasks[k].seconds;
      longest = std::max(longest, path[k]);
      sum += tasks[k].seconds;
    }
    const std::vector<double> busy = run.busy();
    EXPECT_GE(run.seconds(), longest - 1e-9);
    EXPECT_GE(run.seconds(), *std::max_element(busy.begin(), busy.end()) - 1e-9);
    EXPECT_LE(run.seconds(), sum + 1e-9);
    for (const auto& [from, to] : edges) {
      EXPECT_GE(run.begin[static_cast<std::size_t>(to)], run.end[static_cast<std::size_t>(from)]);
    }
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        if (a == b || tasks[a].lane != tasks[b].lane) continue;
        EXPECT_TRUE(run.begin[a] >= run.end[b] || run.begin[b] >= run.end[a]) << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
