// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/log.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/resolve_epochs.h"
#include "lockstep/config/scaling.h"
#include "lockstep/data/dataset.h"
#include "lockstep/data/roidb.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/io/atomic_file.h"
#include "output.h"
#include "recipes.h"
#include "remarks.h"
#include "scale_plot.h"
#include "scale_table.h"

namespace lockstep::app {
namespace {

struct ScaleArguments {
  std::string recipe;
  std::vector<int> workers;
  std::optional<std::int64_t> reference;
  std::string mode;
  std::optional<std::int64_t> images;
  std::string plot;
  bool yaml = false;
  bool json = false;
};

void set_reference(Config& config, const ScaleArguments& arguments) {
  SolverConfig& solver = config.solver;
  if (!arguments.mode.empty()) {
    LS_CHECK(kConfig, arguments.mode == "detectron2" || arguments.mode == "exact",
             "--mode is '{}'; wanted detectron2 or exact", arguments.mode);
    solver.scaling = arguments.mode;
  }
  if (arguments.reference) {
    LS_CHECK(kConfig, *arguments.reference >= 1, "--reference is {}; wanted at least 1", *arguments.reference);
    LS_CHECK(kConfig, solver.reference.world_size == 0 || *arguments.reference == solver.reference_world_size,
             "--reference is {}, but this recipe was scaled to {} workers from one for {}; leave --reference out, or "
             "set SOLVER.REFERENCE.WORLD_SIZE 0 to make this recipe the reference",
             *arguments.reference, solver.reference_world_size, solver.reference.world_size);
    solver.reference_world_size = *arguments.reference;
  }
  LS_CHECK(kConfig, solver.reference_world_size > 0,
           "{} does not say for how many workers it was made (SOLVER.REFERENCE_WORLD_SIZE is 0); say it by --reference "
           "N (Detectron2's own recipes: 8)",
           arguments.recipe);
}

// How many images train, as training would count them; none when the data cannot be read here.
std::optional<std::int64_t> training_images(const Config& config, const ScaleArguments& arguments) {
  if (arguments.images) {
    LS_CHECK(kConfig, *arguments.images >= 1, "--images is {}; wanted at least 1", *arguments.images);
    return arguments.images;
  }
  if (config.datasets.train.empty()) return std::nullopt;
  try {
    return images_per_epoch(config, combined_roidb_for_training(config, false).dataset);
  } catch (const Error& error) {
    log_info("scale", "epochs are not known: {}; say how many training images there are by --images N",
             error.message());
    return std::nullopt;
  }
}

Config in_iterations(const Config& config, std::optional<std::int64_t> images) {
  const auto keys = keys_in_epochs(config);
  if (keys.empty()) return config;
  LS_CHECK(kConfig, images.has_value(),
           "{} counts epochs, and the number of training images is not known here; say it by --images N", keys.front());
  return resolve_epochs(config, *images);
}

int run(const ScaleArguments& arguments, const std::vector<std::string>& overrides) {
  LS_CHECK(kConfig, !arguments.workers.empty(), "for how many workers? Say it by --workers N, or N,N,... to compare");
  LS_CHECK(kConfig, !arguments.yaml || arguments.workers.size() == 1,
           "--yaml prints one recipe; found {} numbers of workers", arguments.workers.size());
  LS_CHECK(kConfig, !arguments.yaml || !arguments.json, "--yaml and --json are two forms of output; choose one");
  Config config = load_recipe(arguments.recipe, overrides);
  set_reference(config, arguments);
  const auto images = training_images(config, arguments);
  const auto source = std::make_shared<const Config>(in_iterations(config, images));
  std::vector<ScaledRecipe> recipes;
  for (const int workers : arguments.workers) recipes.push_back(scale_recipe(source, workers));
  log_remarks("scale", config);
  for (const ScaledRecipe& recipe : recipes) {
    for (const std::string& remark : scale_remarks(recipe)) {
      log_warning("scale", "{} workers: {}", recipe.config->solver.reference_world_size, remark);
    }
  }
  if (!arguments.plot.empty()) write_file_atomically(arguments.plot, scale_plot(recipes));
  print(arguments.yaml   ? to_yaml(*recipes.front().config)
        : arguments.json ? scale_json(recipes, images)
                         : scale_table(recipes, images));
  return 0;
}

}  // namespace

void add_scale_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<ScaleArguments>();
  CLI::App& command = add_command(
      app, {"scale", "Show a recipe for other numbers of workers, before training with it",
            "scale --config-file F|@NAME --workers N[,N...] [--reference N] [--mode detectron2|exact] [KEY VALUE ...]",
            "lockstep scale --config-file @bccd --reference 2 --workers 1,2,8,64 --mode exact"});
  command.add_option("--config-file", arguments->recipe,
                     "the recipe: a file, or @NAME for one shipped with the program");
  command.add_option("--workers", arguments->workers, "workers to scale to; several are compared")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--reference", arguments->reference,
                     "workers that the recipe was made for, where it does not say");
  command.add_option("--mode", arguments->mode, "the rule, detectron2 or exact; default: SOLVER.SCALING");
  command.add_option("--images", arguments->images, "training images, for epochs; default: those of DATASETS.TRAIN");
  command.add_option("--plot", arguments->plot, "draws the learning rate over the images seen into this SVG file");
  command.add_flag("--yaml", arguments->yaml, "prints the scaled recipe instead of the table");
  add_json_flag(command, arguments->json);
  command.callback(
      [&, arguments] { program.action = [&, arguments] { return run(*arguments, free_arguments(command)); }; });
}

}  // namespace lockstep::app
