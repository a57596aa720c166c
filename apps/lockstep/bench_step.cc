// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "bench.h"
#include "lockstep/base/json_text.h"
#include "op_times.h"
#include "output.h"
#include "recipes.h"
#include "step_measurement.h"

namespace lockstep::app {
namespace {

struct StepArguments {
  std::string recipe;
  StepTrial trial;
  bool ops = false;
  bool json = false;
};

std::string stage_table(const StepMeasurement& measured) {
  const double step = measured.step_seconds();
  std::string text = fmt::format("{} steps, {} workers; medians, a stage as the mean over the workers\n",
                                 measured.seconds.size(), measured.workers());
  double sum = 0;
  for (int s = 0; s < kStages; ++s) {
    const double seconds = median(measured.clock.stage_seconds(static_cast<Stage>(s)));
    sum += seconds;
    text += fmt::format("{:<12} {:>9.2f} ms {:>6.1f} %\n", stage_name(static_cast<Stage>(s)), 1e3 * seconds,
                        100 * seconds / step);
  }
  text += fmt::format("{:<12} {:>9.2f} ms {:>6.1f} %\n", "waiting", 1e3 * (step - sum), 100 * (step - sum) / step);
  return text +
         fmt::format("{:<12} {:>9.2f} ms   {:.2f} images/s\n", "step", 1e3 * step, measured.images_per_step / step);
}

std::string json(const StepMeasurement& measured, const StepShares& shares, const std::vector<OpTime>& ops,
                 bool with_ops) {
  const double step = measured.step_seconds();
  std::string text =
      fmt::format("{{\"step_ms\": {:.4f}, \"images_per_second\": {:.4f}, \"workers\": {}, \"steps\": {}", 1e3 * step,
                  measured.images_per_step / step, measured.workers(), measured.seconds.size());
  for (int s = 0; s < kStages; ++s) {
    const auto stage = static_cast<Stage>(s);
    text += fmt::format(", \"{}_ms\": {:.4f}", stage_name(stage), 1e3 * median(measured.clock.stage_seconds(stage)));
  }
  text += fmt::format(
      ", \"bound\": \"{}\", \"compute_bound_ms\": {:.4f}, \"memory_bound_ms\": {:.4f}, \"waiting_ms\": {:.4f}, "
      "\"loader_ms\": {:.4f}",
      bound_of(shares), 1e3 * shares.compute, 1e3 * shares.memory, 1e3 * shares.waiting, 1e3 * shares.loader);
  text += fmt::format(", \"memory_bytes\": {}, \"arena_bytes\": {}, \"predicted_memory_bytes\": {}",
                      measured.memory.total(), measured.memory.arena, measured.plan.memory.total());
  if (!with_ops) return text + "}\n";
  text += ", \"ops\": [";
  for (const OpTime& op : ops) {
    text += fmt::format(
        "{}{{\"name\": {}, \"type\": {}, \"stage\": \"{}\", \"ms\": {:.5f}, \"flop\": {}, \"bytes\": {:.0f}}}",
        text.ends_with('[') ? "" : ", ", json_quote(op.name), json_quote(op.type), stage_name(op.stage),
        1e3 * op.seconds, op.flops ? json_number(*op.flops) : "null", op.bytes);
  }
  return text + "]}\n";
}

int run(const StepArguments& arguments, const std::vector<std::string>& overrides, Console& console) {
  const Config config = load_recipe(arguments.recipe, overrides);
  const OpCatalog catalog = full_catalog();
  const StepMeasurement measured = measure_steps(config, catalog, arguments.trial, console);
  const std::vector<OpTime> ops = op_times(measured);
  const MachineSpeed speed = measure_machine(measured.workers(), arguments.trial.threads);
  const StepShares shares = shares_of(measured, speed, config.dataloader.num_workers);
  if (arguments.json) {
    print(json(measured, shares, ops, arguments.ops));
    return 0;
  }
  print(fmt::format(
      "{}{}\n\n{}{}", stage_table(measured), bound_line(shares), memory_table(measured.plan.memory, &measured.memory),
      arguments.ops ? "\n" + type_table(ops) + "\n" + op_table(ops, measured.step_seconds(), speed) : ""));
  return 0;
}

}  // namespace

void add_bench_step_command(CLI::App& bench, Program& program) {
  const auto arguments = std::make_shared<StepArguments>();
  CLI::App& command = add_command(
      bench, {"step", "Time of forward, backward, all-reduce and update",
              "bench step --config-file F|@NAME [flags] [KEY VALUE ...]",
              "lockstep bench step --config-file @demo --workers 2 --steps 20 --ops DATASETS.TRAIN run/shapes"});
  command.add_option("--config-file", arguments->recipe,
                     "the recipe: a file, or @NAME for one shipped with the program");
  command.add_option("--workers", arguments->trial.workers, "replicas of the model; default: as train chooses");
  command.add_option("--threads", arguments->trial.threads, "compute threads of each worker (1)");
  command.add_option("--steps", arguments->trial.steps, "steps measured (10)");
  command.add_option("--warm-up", arguments->trial.warm_up, "steps before them (3)");
  command.add_flag("--ops", arguments->ops, "also the time of the operators: by type, then one by one");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    program.action = [&, arguments] { return run(*arguments, free_arguments(command), program.console); };
  });
}

}  // namespace lockstep::app
