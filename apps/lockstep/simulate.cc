// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/simulate/step_model.h"
#include "output.h"
#include "recipes.h"
#include "step_measurement.h"

namespace lockstep::app {
namespace {

struct SimulateArguments {
  std::string recipe;
  std::vector<int> workers = {8, 64, 1024};
  std::vector<std::string> algorithms = {"ring", "tree", "hierarchical"};
  double bandwidth = 1.25, host_bandwidth = 10;  // GB/s
  double latency = 20, host_latency = 1;         // microseconds
  int workers_per_host = 8;
  double bucket = 0;  // MB
  int measured = 0;
  int threads = 1;
  int steps = 10;
  bool json = false;
};

// Means add up as medians do not: the mean step is made of mean operators.
double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

StepCosts costs_of(const StepMeasurement& measured) {
  StepCosts costs;
  std::vector<double> accumulate(measured.nets.ranges.size(), 0.0);  // per worker
  const std::vector<Stage> stages = stages_of(measured.nets.step);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const OperatorDef& op = measured.nets.step.op(static_cast<int>(k));
    const int runs = measured.runs(k);
    costs.op_seconds.push_back(mean(measured.clock.ops()[k].per_step) / runs);
    accumulate[static_cast<std::size_t>(op.device_option().index())] += costs.op_seconds.back() * (runs - 1);
    double reduced = 0;
    const OpPlan& plan = measured.plan.step[k];
    for (std::size_t o = 0; o < plan.outputs.size() && stages[k] == Stage::kAllReduce; ++o) {
      // Every worker gets the same sum.
      if (op.output(static_cast<int>(o)).starts_with("cpu_0/")) {
        reduced += static_cast<double>(storage_bytes(plan.outputs[o], plan.output_layouts[o]));
      }
    }
    costs.reduced_bytes.push_back(reduced);
  }
  // On "dag" the workers run side by side, else one after the other.
  costs.accumulate_seconds = measured.nets.step.type() == "dag"
                                 ? *std::max_element(accumulate.begin(), accumulate.end())
                                 : std::accumulate(accumulate.begin(), accumulate.end(), 0.0);
  return costs;
}

struct Check {
  int workers;
  double measured, simulated;  // seconds of a step
};

void require_good(const SimulateArguments& arguments) {
  LS_CHECK(kConfig, arguments.bandwidth > 0 && arguments.host_bandwidth > 0,
           "--bandwidth and --host-bandwidth must be above 0 GB/s, got {} and {}", arguments.bandwidth,
           arguments.host_bandwidth);
  LS_CHECK(kConfig, arguments.latency >= 0 && arguments.host_latency >= 0 && arguments.bucket >= 0,
           "--latency, --host-latency and --bucket must be at least 0, got {}, {} and {}", arguments.latency,
           arguments.host_latency, arguments.bucket);
  LS_CHECK(kConfig, arguments.workers_per_host >= 1, "--workers-per-host is {}; wanted at least 1",
           arguments.workers_per_host);
  for (const int workers : arguments.workers) {
    LS_CHECK(kConfig, workers >= 1, "--workers has {}; wanted at least 1", workers);
  }
}

std::string text_of(const SimulateArguments& arguments, const std::vector<Check>& checks, const StepModel& model,
                    const std::string& rows) {
  std::string text;
  for (const Check& check : checks) {
    text += fmt::format("{} workers on this machine: step {:.2f} ms measured, {:.2f} ms simulated ({:+.1f} %)\n",
                        check.workers, 1e3 * check.measured, 1e3 * check.simulated,
                        100 * (check.simulated / check.measured - 1));
  }
  return text + fmt::format(
                    "\nby the operators' times of {} workers; {} messages of {:.2f} MB in all; {} workers on a host "
                    "({} GB/s, {} us inside; {} GB/s, {} us between)\n"
                    "workers  all-reduce     step ms  images/s  efficiency  communication ms  exposed ms\n{}",
                    checks.back().workers, model.messages(), model.bytes() / 1e6, arguments.workers_per_host,
                    arguments.host_bandwidth, arguments.host_latency, arguments.bandwidth, arguments.latency, rows);
}

std::string json_of(const std::vector<Check>& checks, const StepModel& model, const std::string& rows) {
  std::string text;
  for (const Check& check : checks) {
    text += fmt::format("{}{{\"workers\": {}, \"measured_ms\": {:.4f}, \"simulated_ms\": {:.4f}}}",
                        text.empty() ? "" : ", ", check.workers, 1e3 * check.measured, 1e3 * check.simulated);
  }
  return fmt::format("{{\"checks\": [{}], \"messages\": {}, \"bytes\": {:.0f}, \"steps\": [{}]}}\n", text,
                     model.messages(), model.bytes(), rows);
}

int run(const SimulateArguments& arguments, const std::vector<std::string>& overrides, Console& console) {
  require_good(arguments);
  std::vector<CollectiveAlgorithm> algorithms;
  for (const std::string& name : arguments.algorithms) algorithms.push_back(algorithm_named(name));
  Config config = load_recipe(arguments.recipe, overrides);
  config.solver.collective = "lockstep";  // one operator per all-reduce
  const int micro_batches = micro_batches_per_step(config.solver);
  const int most = arguments.measured > 0 ? arguments.measured
                                          : std::clamp(available_cpus().cores / arguments.threads, 2, micro_batches);
  LS_CHECK(
      kConfig, most >= 2 && micro_batches >= most,
      "measuring an all-reduce takes at least 2 workers with a micro-batch each: --measured is {} and a step has {} "
      "micro-batches (SOLVER.IMS_PER_BATCH / IMS_PER_MICRO_BATCH)",
      arguments.measured, micro_batches);
  const OpCatalog catalog = full_catalog();
  std::vector<Check> checks;
  std::unique_ptr<StepModel> model;
  double images = 0;  // of a worker in a step
  for (const int workers : {1, most}) {
    const StepMeasurement measured =
        measure_steps(config, catalog, {workers, arguments.threads, arguments.steps, 2}, console);
    const StepCosts costs = costs_of(measured);
    checks.push_back({workers, mean(measured.seconds), in_process_seconds(measured.nets.step, costs)});
    if (workers == 1) continue;
    model = std::make_unique<StepModel>(measured.nets.step, costs, 1e6 * arguments.bucket);
    images =
        static_cast<double>(measured.nets.ranges[0].size()) * static_cast<double>(config.solver.ims_per_micro_batch);
  }
  std::string rows;
  for (const int workers : arguments.workers) {
    const Cluster cluster{workers,
                          arguments.workers_per_host,
                          {1e-6 * arguments.latency, 1e9 * arguments.bandwidth},
                          {1e-6 * arguments.host_latency, 1e9 * arguments.host_bandwidth}};
    for (const CollectiveAlgorithm algorithm : algorithms) {
      const SimulatedStep step = model->run(algorithm, cluster);
      rows += fmt::format(
          fmt::runtime(arguments.json
                           ? "{}{{\"workers\": {}, \"algorithm\": \"{}\", \"step_ms\": {:.4f}, \"images_per_second\": "
                             "{:.2f}, \"efficiency\": {:.4f}, \"communication_ms\": {:.4f}, \"exposed_ms\": {:.4f}}}"
                           : "{}{:>7}  {:<12} {:>9.2f} {:>9.1f} {:>11.3f} {:>17.2f} {:>11.2f}\n"),
          arguments.json && !rows.empty() ? ", " : "", workers, algorithm_name(algorithm), 1e3 * step.seconds,
          workers * images / step.seconds, step.efficiency(), 1e3 * step.communication_seconds,
          1e3 * step.exposed_seconds());
    }
  }
  print(arguments.json ? json_of(checks, *model, rows) : text_of(arguments, checks, *model, rows));
  return 0;
}

}  // namespace

void add_simulate_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<SimulateArguments>();
  CLI::App& command = add_command(
      app, {"simulate", "Predict the step on more workers than there are here",
            "simulate --config-file F|@NAME [flags] [KEY VALUE ...]",
            "lockstep simulate --config-file @demo --workers 8,64,1024 --bandwidth 1.25 --latency 20 DATASETS.TRAIN "
            "run/shapes"});
  command.add_option("--config-file", arguments->recipe,
                     "the recipe: a file, or @NAME for one shipped with the program");
  command.add_option("--workers", arguments->workers, "numbers of workers (8,64,1024)")->delimiter(',');
  command.add_option("--algorithm", arguments->algorithms, "all-reduces (ring,tree,hierarchical)")->delimiter(',');
  command.add_option("--bandwidth", arguments->bandwidth, "between hosts, GB/s each way (1.25)");
  command.add_option("--latency", arguments->latency, "between hosts, microseconds (20)");
  command.add_option("--workers-per-host", arguments->workers_per_host, "workers of a host (8)");
  command.add_option("--host-bandwidth", arguments->host_bandwidth, "inside a host, GB/s (10)");
  command.add_option("--host-latency", arguments->host_latency, "inside a host, microseconds (1)");
  command.add_option("--bucket", arguments->bucket, "MB of gradients in a message; 0: one message each (0)");
  command.add_option("--measured", arguments->measured, "workers that are measured here (one per core, at least 2)");
  command.add_option("--threads", arguments->threads, "compute threads of each worker (1)");
  command.add_option("--steps", arguments->steps, "steps measured (10)");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    program.action = [&, arguments] { return run(*arguments, free_arguments(command), program.console); };
  });
}

}  // namespace lockstep::app
