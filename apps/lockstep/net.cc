// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/net.h"

#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/base/log.h"
#include "lockstep/config/support.h"
#include "lockstep/engine/data_parallel.h"
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

// The nets of one part, with what is known of the blobs that they read from outside.
struct NetsToPrint {
  std::vector<NetDef> nets;
  std::map<std::string, TensorInfo> known;
};

NetsToPrint nets_of(const Config& config, const OpCatalog& catalog, const NetArguments& arguments) {
  if (arguments.part == "test") {
    TestNets nets = build_test_nets(config);
    return {{std::move(nets.net)}, infer_shapes(nets.init, catalog, {})};
  }
  LS_CHECK(kConfig, arguments.part == "init" || arguments.part == "train", "--part is '{}'; wanted init, train or test",
           arguments.part);
  TrainNets nets = build_train_nets(config, catalog, arguments.workers);
  if (arguments.part == "init") return {{std::move(nets.init)}, {}};
  NetsToPrint train;
  train.known = parameter_infos(nets, catalog);
  for (NetDef& net : nets.accumulate) {
    if (net.op_size() > 0) train.nets.push_back(std::move(net));
  }
  train.nets.push_back(std::move(nets.step));
  return train;
}

std::string print_net(const NetDef& net, const std::string& format, const OpCatalog& catalog,
                      const std::map<std::string, TensorInfo>& known) {
  if (format == "text") return net_text(net);
  if (format == "dot") return net_dot(net);
  LS_CHECK(kConfig, format == "table", "--format is '{}'; wanted text, table or dot", format);
  return fmt::format("net {}: {} operators\n{}", net.name(), net.op_size(),
                     net_table(net, infer_shapes(net, catalog, known)));
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
  const NetsToPrint part = nets_of(config, catalog, arguments);
  std::string text;
  for (const NetDef& net : part.nets) {
    const std::string one = print_net(net, arguments.format, catalog, part.known);
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
