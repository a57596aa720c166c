// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/net.h"

#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/base/log.h"
#include "lockstep/config/support.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/numerics.h"
#include "lockstep/engine/step_plan.h"
#include "lockstep/graph/print.h"
#include "lockstep/graph/validate.h"
#include "output.h"
#include "recipes.h"

namespace lockstep::app {
namespace {

struct NetArguments {
  std::string recipe;
  int workers = 1;
  std::string part = "train";
  std::string format = "text";
  bool json = false;
};

std::string titled_table(const NetDef& net, const std::vector<OpPlan>& plans) {
  return fmt::format("net {}: {} operators\n{}", net.name(), net.op_size(), net_table(net, plans));
}

std::string memory_text(const TrainNets& nets, const StepPlan& plan, const InputSizes& sizes) {
  std::string text = fmt::format(
      "\n{} workers, micro-batches of {} x 3 x {} x {} with {} boxes, the largest that the "
      "recipe allows\n{}",
      nets.ranges.size(), sizes.images, sizes.height, sizes.width, sizes.boxes, memory_table(plan.memory));
  const auto mebibytes = [](std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  for (std::size_t w = 0; w < plan.arenas.size(); ++w) {
    const MemoryPlan& arena = plan.arenas[w];
    text += fmt::format("arena of cpu:{}: {:.2f} MiB; {:.2f} MiB live at once, at {}; {:.2f} MiB without sharing\n", w,
                        mebibytes(arena.arena_bytes), mebibytes(arena.live_bytes), arena.live_op,
                        mebibytes(arena.unshared_bytes));
  }
  return text;
}

// The nets of the part in the format, each a text of its own.
std::vector<std::string> print_part(const Config& config, const OpCatalog& catalog, const NetArguments& arguments) {
  LS_CHECK(kConfig, arguments.part == "init" || arguments.part == "train" || arguments.part == "test",
           "--part is '{}'; wanted init, train or test", arguments.part);
  LS_CHECK(kConfig, arguments.format == "text" || arguments.format == "table" || arguments.format == "dot",
           "--format is '{}'; wanted text, table or dot", arguments.format);
  const auto print_net = [&](const NetDef& net) { return arguments.format == "dot" ? net_dot(net) : net_text(net); };
  const bool table = arguments.format == "table";
  if (table) pin_instruction_set(config);  // the kernels that training would choose
  if (arguments.part == "test") {
    const TestNets nets = build_test_nets(config);
    if (!table) return {print_net(nets.net)};
    return {titled_table(nets.net, plan_test(nets, catalog, config))};
  }
  const TrainNets nets = build_train_nets(config, catalog, arguments.workers);
  if (arguments.part == "init") {
    return {table ? titled_table(nets.init, plan_init(nets.init, catalog)) : print_net(nets.init)};
  }
  const InputSizes sizes = largest_input(config);
  const StepPlan plan = table ? plan_step(nets, catalog, sizes, 1) : StepPlan();
  std::vector<std::string> texts;
  // A picture shows the whole step; the accumulate nets are its front, and Graphviz takes one graph from a file.
  for (std::size_t w = 0; w < nets.accumulate.size() && arguments.format != "dot"; ++w) {
    const NetDef& net = nets.accumulate[w];
    if (net.op_size() > 0) texts.push_back(table ? titled_table(net, plan.accumulate[w]) : print_net(net));
  }
  texts.push_back(table ? titled_table(nets.step, plan.step) + memory_text(nets, plan, sizes) : print_net(nets.step));
  return texts;
}

int run(const NetArguments& arguments, const std::vector<std::string>& overrides) {
  LS_CHECK(kConfig, arguments.workers >= 1, "--workers is {}; wanted at least 1", arguments.workers);
  const Config config = load_recipe(arguments.recipe, overrides);
  check_supported(config);
  if (!config.is_set("MODEL.ROI_HEADS.NUM_CLASSES")) {
    log_info("net", "MODEL.ROI_HEADS.NUM_CLASSES is not set: printed with {}; training takes it from the data",
             config.model.roi_heads.num_classes);
  }
  const OpCatalog catalog = full_catalog();
  std::string text;
  for (const std::string& one : print_part(config, catalog, arguments)) {
    if (!text.empty()) text += arguments.json ? ", " : "\n";
    text += arguments.json ? json_quote(one) : one;
  }
  print(arguments.json ? "{\"nets\": [" + text + "]}\n" : text);
  return 0;
}

}  // namespace

void add_net_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<NetArguments>();
  CLI::App& command =
      add_command(app, {"net", "Print the nets of a step", "net --config-file F|@NAME [flags] [KEY VALUE ...]",
                        "lockstep net --config-file @demo --workers 2 --part train --format table"});
  command.add_option("--config-file", arguments->recipe,
                     "the recipe: a file, or @NAME for one shipped with the program");
  command.add_option("--workers", arguments->workers, "replicas of the model (1)");
  command.add_option("--part", arguments->part, "init, train or test (train)");
  command.add_option("--format", arguments->format, "text, table or dot (text)");
  add_json_flag(command, arguments->json);
  command.callback(
      [&, arguments] { program.action = [&, arguments] { return run(*arguments, free_arguments(command)); }; });
}

}  // namespace lockstep::app
