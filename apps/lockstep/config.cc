// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/config.h"

#include <cstdio>
#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/support.h"
#include "output.h"
#include "recipes.h"
#include "remarks.h"

namespace lockstep::app {
namespace {

struct ConfigArguments {
  std::string recipe;
  std::string dump = "full";
  bool json = false;
};

std::string json_list(const std::vector<ConfigRemark>& remarks) {
  std::string text;
  for (const ConfigRemark& remark : remarks) {
    text += fmt::format("{}{{\"key\": {}, \"value\": {}, \"text\": {}}}", text.empty() ? "" : ", ",
                        json_quote(remark.path), json_quote(remark.value), json_quote(remark.text));
  }
  return "[" + text + "]";
}

int run(const ConfigArguments& arguments, const std::vector<std::string>& overrides) {
  LS_CHECK(kConfig, arguments.dump == "full" || arguments.dump == "diff", "--dump is '{}'; wanted full or diff",
           arguments.dump);
  const Config config = load_recipe(arguments.recipe, overrides);
  log_remarks("config", config);
  const std::string yaml = arguments.dump == "full" ? to_yaml(config) : diff_yaml(config);
  print(arguments.json ? fmt::format("{{\"yaml\": {}, \"unsupported\": {}, \"unused\": {}}}\n", json_quote(yaml),
                                     json_list(unsupported_values(config)), json_list(unused_values(config)))
                       : yaml);
  return 0;
}

}  // namespace

void add_config_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<ConfigArguments>();
  CLI::App& command = add_command(app, {"config", "Print a recipe as the program understands it",
                                        "config --config-file F|@NAME [--dump full|diff] [KEY VALUE ...]",
                                        "lockstep config --config-file @bccd --dump diff SOLVER.BASE_LR 0.01"});
  command.add_option("--config-file", arguments->recipe,
                     "the recipe: a file, or @NAME for one shipped with the program");
  command.add_option("--dump", arguments->dump, "full: every key; diff: what differs from the defaults");
  add_json_flag(command, arguments->json);
  command.callback(
      [&, arguments] { program.action = [&, arguments] { return run(*arguments, free_arguments(command)); }; });
}

}  // namespace lockstep::app
