// SPDX-License-Identifier: Apache-2.0
#include "op_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bench.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/engine/step_bound.h"
#include "lockstep/tensor/device.h"

namespace lockstep::app {
namespace {

double bytes_of(const OpPlan& plan) {
  auto bytes = static_cast<double>(plan.output_bytes);
  for (std::size_t i = 0; i < plan.inputs.size() && plan.known; ++i) {
    bytes += static_cast<double>(storage_bytes(plan.inputs[i], plan.input_layouts[i]));
  }
  return bytes;
}

}  // namespace

StepShares shares_of(const StepMeasurement& measured, const MachineSpeed& speed, int loader_threads) {
  const std::size_t steps = measured.seconds.size();
  std::vector<double> compute(steps), memory(steps), all_reduce(steps), waiting(measured.seconds);
  for (std::size_t k = 0; k < measured.clock.ops().size(); ++k) {
    const StepClock::OpTime& op = measured.clock.ops()[k];
    if (op.stage == Stage::kInput) continue;  // the data lie ready; what a run would wait for is the loader's figure
    const OpPlan& plan = measured.plan.step[k];
    const auto flops = plan.flops ? std::optional<double>(measured.runs(k) * *plan.flops) : std::nullopt;
    const bool by_memory = is_memory_bound(measured.op_seconds(k), measured.runs(k) * bytes_of(plan), flops, speed);
    std::vector<double>& share = op.stage == Stage::kAllReduce ? all_reduce : by_memory ? memory : compute;
    for (std::size_t s = 0; s < steps; ++s) {
      share[s] += op.per_step[s] / measured.workers();
      waiting[s] -= op.per_step[s] / measured.workers();
    }
  }
  StepShares shares{measured.step_seconds(), median(compute), median(memory), median(all_reduce), median(waiting), 0};
  const int threads = std::clamp(loader_threads, 1, available_cpus().cores);
  shares.loader = measured.build_seconds * measured.nets.micro_batches / threads;
  return shares;
}

std::vector<OpTime> op_times(const StepMeasurement& measured) {
  std::vector<OpTime> ops;
  std::map<std::string, std::size_t> places;  // by type and name
  for (std::size_t k = 0; k < measured.clock.ops().size(); ++k) {
    const StepClock::OpTime& timed = measured.clock.ops()[k];
    const std::string scope = device_scope({DeviceType::kCpu, timed.device}) + "/";
    const std::string name = timed.name.starts_with(scope) ? timed.name.substr(scope.size()) : timed.name;
    const auto [place, added] = places.try_emplace(timed.type + ' ' + name, ops.size());
    if (added) ops.push_back({name, timed.type, timed.stage, 0, 0.0, 0});
    OpTime& op = ops[place->second];
    const OpPlan& plan = measured.plan.step[k];
    const double runs = static_cast<double>(measured.runs(k)) / measured.workers();
    op.seconds += measured.op_seconds(k) / measured.workers();
    op.bytes += runs * bytes_of(plan);
    op.flops = op.flops && plan.flops ? std::optional<double>(*op.flops + runs * *plan.flops) : std::nullopt;
  }
  std::stable_sort(ops.begin(), ops.end(), [](const OpTime& a, const OpTime& b) { return a.seconds > b.seconds; });
  return ops;
}

std::string type_table(const std::vector<OpTime>& ops) {
  struct Row {
    std::string type, stage;
    int count = 0;
    double seconds = 0;
  };
  std::map<std::pair<std::string, Stage>, Row> rows;
  for (const OpTime& op : ops) {
    Row& row = rows[{op.type, op.stage}];
    row.type = op.type;
    row.stage = stage_name(op.stage);
    ++row.count;
    row.seconds += op.seconds;
  }
  std::vector<Row> sorted;
  for (const auto& [key, row] : rows) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) { return a.seconds > b.seconds; });
  std::string text = "operators of a type              stage         number         ms\n";
  for (const Row& row : sorted) {
    text += fmt::format("{:<32} {:<12} {:>7} {:>10.3f}\n", row.type, row.stage, row.count, 1e3 * row.seconds);
  }
  return text;
}

std::string op_table(const std::vector<OpTime>& ops, double step_seconds, const MachineSpeed& speed) {
  std::string text = fmt::format(
      "a worker of this machine reaches {:.1f} GFLOP/s in a matrix product and {:.1f} GB/s in memcpy\n"
      "      ms      %      MFLOP  GFLOP/s   GB/s  bound    stage       operator\n",
      speed.flops / 1e9, speed.bytes / 1e9);
  for (const OpTime& op : ops) {
    const double seconds = std::max(op.seconds, 1e-9);
    text += fmt::format("{:>8.3f} {:>6.2f} {:>10} {:>8} {:>6.1f}  {:<8} {:<11} {} {}\n", 1e3 * op.seconds,
                        100 * op.seconds / step_seconds, op.flops ? fmt::format("{:.3f}", *op.flops / 1e6) : "-",
                        op.flops ? fmt::format("{:.1f}", *op.flops / seconds / 1e9) : "-", op.bytes / seconds / 1e9,
                        is_memory_bound(op.seconds, op.bytes, op.flops, speed) ? "memory" : "compute",
                        stage_name(op.stage), op.type, op.name);
  }
  return text;
}

}  // namespace lockstep::app
