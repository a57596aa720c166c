// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "commands.h"
#include "data.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/base/log.h"
#include "lockstep/base/text.h"
#include "lockstep/config/dump.h"
#include "lockstep/data/input_size.h"
#include "lockstep/data/split.h"
#include "lockstep/data/statistics.h"
#include "lockstep/io/atomic_file.h"
#include "new_schedule.h"
#include "output.h"
#include "recipes.h"
#include "remarks.h"
#include "train_progress.h"

namespace lockstep::app {
namespace fs = std::filesystem;
namespace {

struct NewArguments {
  DataArguments data;
  double val = 0.2;
  std::string model = "base/faster_rcnn_r18_gn_fpn";
  std::string time = "30m";
  std::string out;
  bool json = false;
};

// The data of the new recipe.
struct NewData {
  Dataset train, test;
  std::string train_text, test_text;  // DATA
  std::string how;                    // where the test part comes from
};

// The same place, whatever the working directory.
std::string absolute_text(DataLocation location) {
  location.annotations = fs::absolute(location.annotations).lexically_normal().string();
  if (!location.image_dir.empty()) location.image_dir = fs::absolute(location.image_dir).lexically_normal().string();
  return to_text(location);
}

NewData find_new_data(const NewArguments& arguments, const DataPlaces& places) {
  DataReport report;
  NewData data;
  data.train = read_data(places.train[0], report);
  if (!places.test.empty()) {
    data.test = read_data(places.test[0], report);
    map_to_categories(data.test, data.train.categories, data.train.name);
    data.train_text = absolute_text(places.train[0]);
    data.test_text = absolute_text(places.test[0]);
    data.how = "its own test part";
  } else {
    auto [train, test] = split_by_name(data.train, arguments.val);
    const fs::path stem = fs::path(arguments.out).replace_extension();
    data.train = std::move(train);
    data.test = std::move(test);
    data.train_text = write_coco_file(data.train, stem.string() + "_train.json");
    data.test_text = write_coco_file(data.test, stem.string() + "_val.json");
    data.how = fmt::format("{} of it, chosen by the pictures' names", arguments.val);
  }
  check_images_exist(data.train);
  check_images_exist(data.test);
  report.log();
  return data;
}

// A class that only held-out pictures show cannot be learned, and is no reason to stop a newcomer.
void allow_classes_without_boxes(Config& config, const DataStatistics& statistics) {
  std::vector<std::string> names;
  for (const ClassStatistics& one : statistics.classes) {
    if (one.boxes == 0) names.push_back(one.name);
  }
  if (names.empty()) return;
  config.datasets.allow_empty_categories = true;
  log_warning("new", "no training picture shows {}; the recipe says DATASETS.ALLOW_EMPTY_CATEGORIES True",
              join_words(names));
}

void fit_to_data(Config& config, const NewData& data, DataStatistics& statistics) {
  const InputSize size = choose_input_size(data.train);
  config.input.min_size_train = {size.min_size};
  config.input.min_size_test = size.min_size;
  config.input.max_size_train = config.input.max_size_test = size.max_size;
  statistics = data_statistics(data.train, config);
  if (!proposal_helps(statistics)) return;
  config.model.anchor_generator.sizes.clear();
  for (const double anchor : statistics.proposed_sizes) config.model.anchor_generator.sizes.push_back({anchor});
}

std::string recipe_text(const NewArguments& arguments, const Config& config, const NewData& data) {
  std::string names = join_words(category_names(data.train.categories));
  constexpr std::size_t kLongest = 90;
  if (names.size() > kLongest) names = names.substr(0, kLongest) + "...";
  for (char& c : names) c = c == '\n' || c == '\r' ? ' ' : c;
  return fmt::format(
      "# Made by `lockstep new` from @{}: image size and anchors from the data, the schedule for {}.\n# {} classes: "
      "{}\n# Test data: {}.\n{}",
      arguments.model, arguments.time, data.train.categories.size(), names, data.how, diff_yaml(config));
}

int run(const NewArguments& arguments) {
  LS_CHECK(kConfig, arguments.data.words.size() == 1,
           "lockstep new wants one data set, got {}; as in: lockstep new pictures/ --out mine.yaml",
           arguments.data.words.size());
  LS_CHECK(kConfig, !arguments.out.empty(), "where to? Name the new recipe by --out, as in --out mine.yaml");
  LS_CHECK(kConfig, !fs::exists(arguments.out), "{} exists; name another file, nothing is overwritten", arguments.out);
  const double seconds = parse_duration(arguments.time);
  Config config = load_recipe("@" + arguments.model, {});
  const DataPlaces places = find_data(arguments.data);
  const NewData data = find_new_data(arguments, places);
  config.datasets.train = {data.train_text};
  config.datasets.test = {data.test_text};
  config.datasets.catalog.clear();
  config.output_dir = "run/" + fs::path(arguments.out).stem().string();
  DataStatistics statistics;
  fit_to_data(config, data, statistics);
  allow_classes_without_boxes(config, statistics);
  log_info("new", "timing a few steps");
  const double step_seconds = measure_step_seconds(config);
  fit_schedule(config, static_cast<std::int64_t>(data.train.images.size()),
               static_cast<std::int64_t>(data.test.images.size()), seconds, step_seconds);
  log_remarks("new", config);
  write_file_atomically(arguments.out, recipe_text(arguments, config, data));

  if (arguments.json) {
    print(
        fmt::format("{{\"recipe\": {}, \"train\": {}, \"test\": {}, \"classes\": {}, \"step_seconds\": {:.4f}, "
                    "\"max_iter\": {}}}\n",
                    json_quote(arguments.out), json_quote(data.train_text), json_quote(data.test_text),
                    data.train.categories.size(), step_seconds, config.solver.max_iter));
    return 0;
  }
  print(fmt::format(
      "{}: {} training and {} test pictures ({}), {} classes\nimages at {} (at most {}) pixels; {} steps of {:.0f} ms "
      "= "
      "{} with an evaluation in each epoch\nnext:\n  lockstep train --config-file {}\n  lockstep predict --weights {} "
      "--draw {}/pictures {}\n",
      arguments.out, data.train.images.size(), data.test.images.size(), data.how, data.train.categories.size(),
      config.input.min_size_test, config.input.max_size_test, config.solver.max_iter, 1e3 * step_seconds,
      duration_text(seconds), arguments.out, config.output_dir, config.output_dir, common_folder(data.test)));
  return 0;
}

}  // namespace

void add_new_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<NewArguments>();
  CLI::App& command =
      add_command(app, {"new", "Make a recipe for a data set: format, classes, sizes, anchors and schedule",
                        "new DATA --out config.yaml [--time 30m] [--val 0.2] [--model NAME]",
                        "lockstep new run/shapes --out shapes.yaml --time 10m"});
  command.add_option("--out", arguments->out, "the recipe to write; a split's files go beside it");
  command.add_option("--time", arguments->time, "how long training may take on this machine (30m)");
  command.add_option("--val", arguments->val, "part to hold out for testing where the data has no test part (0.2)");
  command.add_option("--model", arguments->model, "recipe shipped with the program to start from");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    program.action = [&, arguments] {
      arguments->data.words = free_arguments(command);
      return run(*arguments);
    };
  });
}

}  // namespace lockstep::app
