// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lockstep/engine/step_range.h"
#include "lockstep/graph/net.pb.h"
#include "lockstep/graph/stages.h"

namespace lockstep {

// What the threads of a process do during some steps of a run, in the JSON that chrome://tracing and Perfetto read: one
// row per lane with a bar per operator, a row of steps, and a curve per queue. What happens outside of the steps costs
// one comparison.
class StepTrace {
 public:
  // `step` is the whole net of a step (TrainNets::step); the accumulate nets hold operators of the same names.
  StepTrace(const StepRange& range, const NetDef& step);

  using Depths = std::vector<std::pair<std::string, std::size_t>>;  // micro-batches in each queue
  // Is asked at both ends of a step and after operators, at most once in a millisecond.
  void watch(std::function<Depths()> depths) { depths_ = std::move(depths); }

  // Steps begin and end on one thread, with no operator running.
  void begin_step(std::int64_t step);
  // `figures` are shown when the step is clicked.
  void end_step(const std::vector<std::pair<std::string, double>>& figures);
  // An operator that ended just now on the calling thread: each thread that runs operators of a device is a row.
  void add_op(const OperatorDef& op, double seconds);

  std::int64_t steps() const { return static_cast<std::int64_t>(steps_.size()); }  // finished ones
  std::string json() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Bar {
    std::string type, name;
    Stage stage;
    std::size_t row;
    double begin_us, length_us;
  };
  struct Count {
    std::string queue;
    double at_us;
    std::size_t value;
  };
  struct Step {
    std::int64_t number;
    double begin_us, length_us;
    std::vector<std::pair<std::string, double>> figures;
  };
  double now_us() const { return std::chrono::duration<double, std::micro>(Clock::now() - start_).count(); }
  void count_queues(double now);

  const StepRange range_;
  std::map<std::string, Stage> stages_;  // by type and name of the operator
  std::function<Depths()> depths_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<bool> recording_ = false;
  std::vector<Step> steps_;
  std::int64_t current_ = 0;
  double current_begin_us_ = 0;

  std::mutex mutex_;                                             // guards all below while operators run
  std::map<std::pair<int, std::thread::id>, std::size_t> rows_;  // by device and thread, numbered as they appear
  std::vector<Bar> bars_;
  std::vector<Count> counts_;
  double counted_us_ = 0;
};

}  // namespace lockstep
