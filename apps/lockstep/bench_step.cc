// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>

#include "bench.h"
#include "bench_setup.h"
#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/base/json_text.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/step_plan.h"
#include "lockstep/engine/worker_group.h"
#include "output.h"
#include "recipes.h"
#include "step_clock.h"

namespace lockstep::app {
namespace {

struct StepArguments {
  std::string recipe;
  int workers = 0;
  int threads = 1;
  int steps = 10;
  int warm_up = 3;
  bool ops = false;
  bool json = false;
};

// Micro-batches of a few steps, decoded before the clock runs and given to the workers again and again: the loader's
// threads must not take the cores away from what is measured.
class PreparedData {
 public:
  PreparedData(const MinibatchBuilder& data, const std::vector<MicroBatchRange>& ranges) : ranges_(ranges) {
    for (std::int64_t step = 0; step < kSteps; ++step) {
      auto& micro_batches = steps_.emplace_back();
      for (std::int64_t index = 0; index < data.micro_batches_per_step(); ++index) {
        micro_batches.push_back(data.build(step, index));
      }
    }
    for (const MicroBatchRange& range : ranges_) {
      queues_.push_back(std::make_shared<BlobsQueue>(static_cast<std::size_t>(range.size())));
    }
  }
  const std::vector<std::shared_ptr<BlobsQueue>>& queues() const { return queues_; }
  InputSizes largest() const {
    InputSizes sizes;
    for (const auto& micro_batches : steps_) {
      for (const std::vector<Tensor>& record : micro_batches) grow_to(sizes, record);
    }
    return sizes;
  }
  void feed(std::int64_t step) {
    const auto& micro_batches = steps_[static_cast<std::size_t>(step % kSteps)];
    for (std::size_t w = 0; w < ranges_.size(); ++w) {
      for (int index = ranges_[w].begin; index < ranges_[w].end; ++index) {
        std::vector<Tensor> copy;
        for (const Tensor& tensor : micro_batches[static_cast<std::size_t>(index)]) copy.push_back(tensor.clone());
        queues_[w]->push(std::move(copy));
      }
    }
  }

 private:
  static constexpr std::int64_t kSteps = 4;
  std::vector<MicroBatchRange> ranges_;
  std::vector<std::vector<std::vector<Tensor>>> steps_;
  std::vector<std::shared_ptr<BlobsQueue>> queues_;
};

// The parameters stay as they are, so that every step does the same work.
constexpr float kLearningRate = 0;

struct Measurement {
  std::vector<double> seconds;  // of each step
  double images_per_step = 0;
  int workers = 1;
  MemoryUse memory, planned;
};

std::string stage_table(const Measurement& measured, const StepClock& clock) {
  const double step = median(measured.seconds);
  std::string text = fmt::format("{} steps, {} workers; medians, a stage as the mean over the workers\n",
                                 measured.seconds.size(), measured.workers);
  double sum = 0;
  for (int s = 0; s < kStages; ++s) {
    const double seconds = median(clock.stage_seconds(static_cast<Stage>(s)));
    sum += seconds;
    text += fmt::format("{:<12} {:>9.2f} ms {:>6.1f} %\n", stage_name(static_cast<Stage>(s)), 1e3 * seconds,
                        100 * seconds / step);
  }
  text += fmt::format("{:<12} {:>9.2f} ms {:>6.1f} %\n", "waiting", 1e3 * (step - sum), 100 * (step - sum) / step);
  return text +
         fmt::format("{:<12} {:>9.2f} ms   {:.2f} images/s\n", "step", 1e3 * step, measured.images_per_step / step);
}

// Operators by time, those of one type and stage together.
std::string op_table(const StepClock& clock) {
  struct Row {
    std::string type, stage;
    int count = 0;
    double seconds = 0;
  };
  std::map<std::pair<std::string, Stage>, Row> rows;
  for (const StepClock::OpTime& op : clock.ops()) {
    Row& row = rows[{op.type, op.stage}];
    row.type = op.type;
    row.stage = stage_name(op.stage);
    ++row.count;
    row.seconds += median(op.per_step);
  }
  std::vector<Row> sorted;
  for (const auto& [key, row] : rows) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) { return a.seconds > b.seconds; });
  std::string text = "\noperator                         stage         number         ms\n";
  for (const Row& row : sorted) {
    text += fmt::format("{:<32} {:<12} {:>7} {:>10.3f}\n", row.type, row.stage, row.count, 1e3 * row.seconds);
  }
  return text;
}

std::string json(const Measurement& measured, const StepClock& clock, bool with_ops) {
  const double step = median(measured.seconds);
  std::string text =
      fmt::format("{{\"step_ms\": {:.4f}, \"images_per_second\": {:.4f}, \"workers\": {}, \"steps\": {}", 1e3 * step,
                  measured.images_per_step / step, measured.workers, measured.seconds.size());
  for (int s = 0; s < kStages; ++s) {
    const auto stage = static_cast<Stage>(s);
    text += fmt::format(", \"{}_ms\": {:.4f}", stage_name(stage), 1e3 * median(clock.stage_seconds(stage)));
  }
  text += fmt::format(", \"memory_bytes\": {}, \"arena_bytes\": {}, \"predicted_memory_bytes\": {}",
                      measured.memory.total(), measured.memory.arena, measured.planned.total());
  if (!with_ops) return text + "}\n";
  text += ", \"ops\": [";
  for (const StepClock::OpTime& op : clock.ops()) {
    text += fmt::format("{}{{\"name\": {}, \"type\": {}, \"stage\": \"{}\", \"device\": {}, \"ms\": {:.5f}}}",
                        text.ends_with('[') ? "" : ", ", json_quote(op.name), json_quote(op.type), stage_name(op.stage),
                        op.device, 1e3 * median(op.per_step));
  }
  return text + "]}\n";
}

int run(const StepArguments& arguments, const std::vector<std::string>& overrides, Console& console) {
  LS_CHECK(kConfig, arguments.workers >= 0 && arguments.threads >= 1 && arguments.steps >= 1 && arguments.warm_up >= 0,
           "--workers, --threads and --steps must be at least 1, --warm-up at least 0");
  Config config = load_recipe(arguments.recipe, overrides);
  const auto data = open_training_data(config);
  const int micro_batches = micro_batches_per_step(config.solver);
  Measurement measured;
  measured.workers = arguments.workers > 0 ? arguments.workers
                                           : std::clamp(available_cpus().cores / arguments.threads, 1, micro_batches);
  measured.images_per_step = static_cast<double>(config.solver.ims_per_batch);
  const OpCatalog catalog = full_catalog();
  const TrainNets nets = build_train_nets(config, catalog, measured.workers);
  StepClock clock(nets.step);
  WorkerGroup workers(nets, catalog, std::vector<int>(static_cast<std::size_t>(measured.workers), arguments.threads),
                      effective_seed(config), [&](const OperatorDef& op, double seconds) { clock.add(op, seconds); });
  PreparedData prepared(*data, nets.ranges);
  workers.connect(prepared.queues());
  for (int step = 0; step < arguments.warm_up + arguments.steps; ++step) {
    prepared.feed(step);
    const auto start = std::chrono::steady_clock::now();
    workers.run_step(step, kLearningRate);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    console.status(fmt::format("step {} of {}", step + 1, arguments.warm_up + arguments.steps));
    if (step < arguments.warm_up) {
      clock.forget_step();
      continue;
    }
    measured.seconds.push_back(seconds);
    clock.next_step();
  }
  measured.memory = workers.memory();
  measured.planned = plan_step(nets, catalog, prepared.largest(), arguments.threads).memory;
  print(arguments.json ? json(measured, clock, arguments.ops)
                       : stage_table(measured, clock) + "\n" + memory_table(measured.planned, &measured.memory) +
                             (arguments.ops ? op_table(clock) : ""));
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
  command.add_option("--workers", arguments->workers, "replicas of the model; default: as train chooses");
  command.add_option("--threads", arguments->threads, "compute threads of each worker (1)");
  command.add_option("--steps", arguments->steps, "steps measured (10)");
  command.add_option("--warm-up", arguments->warm_up, "steps before them (3)");
  command.add_flag("--ops", arguments->ops, "also the time of the operators");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    program.action = [&, arguments] { return run(*arguments, free_arguments(command), program.console); };
  });
}

}  // namespace lockstep::app
