// SPDX-License-Identifier: Apache-2.0
#include "data.h"

#include <filesystem>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/data/coco_writer.h"
#include "lockstep/io/atomic_file.h"
#include "recipes.h"

namespace lockstep::app {
namespace fs = std::filesystem;
namespace {

// The test part of DATA, if it has one that is not the training part.
std::optional<DataLocation> test_part(const std::string& text, const DataCatalog& catalog, const DataLocation& train) {
  try {
    const DataLocation test = locate_data(text, catalog, DataSplit::kTest);
    if (to_text(test) != to_text(train)) return test;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kConfig) throw;  // kConfig: no split is plainly the one for testing
  }
  return std::nullopt;
}

}  // namespace

DataPlaces find_data(const DataArguments& arguments) {
  DataPlaces places;
  LS_CHECK(kConfig, !arguments.words.empty() || !arguments.recipe.empty(),
           "no data; name a data set (as in DATASETS.TRAIN), or a recipe by --config-file");
  places.config = load_recipe(arguments.recipe.empty() ? "@base/faster_rcnn_r18_gn_fpn" : arguments.recipe, {});
  const DatasetsConfig& datasets = places.config.datasets;
  for (const std::string& text : arguments.words) {
    const DataLocation train = locate_data(text, datasets.catalog, DataSplit::kTrain);
    if (const auto test = test_part(text, datasets.catalog, train)) places.test.push_back(*test);
    places.train.push_back(train);
  }
  if (!arguments.words.empty()) return places;
  for (const std::string& text : datasets.train) {
    places.train.push_back(locate_data(text, datasets.catalog, DataSplit::kTrain));
  }
  for (const std::string& text : datasets.test) {
    places.test.push_back(locate_data(text, datasets.catalog, DataSplit::kTest));
  }
  LS_CHECK(kConfig, !places.train.empty(), "{} names no data in DATASETS.TRAIN; name some after the command",
           arguments.recipe);
  return places;
}

std::string common_folder(const Dataset& dataset) {
  fs::path common;
  for (const ImageRecord& image : dataset.images) {
    const fs::path folder = fs::absolute(image.path).lexically_normal().parent_path();
    if (common.empty()) common = folder;
    while (folder.lexically_relative(common).string().starts_with("..")) common = common.parent_path();
  }
  return common.string();
}

std::string write_coco_file(const Dataset& dataset, const std::string& path) {
  LS_CHECK(kConfig, !fs::exists(path), "{} exists; name another place, nothing is overwritten", path);
  const fs::path folder = fs::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  LS_CHECK(kIo, !failed, "cannot make the folder {}: {}", folder.string(), failed.message());
  const std::string images = common_folder(dataset);
  write_file_atomically(path, coco_json(dataset, images));
  return fmt::format("coco:{}:{}", fs::absolute(path).lexically_normal().string(), images);
}

void add_data_command(CLI::App& app, Program& program) {
  CLI::App& data =
      add_command(app, {"data", "Check, draw, split or convert data sets",
                        "data check|show|split|convert DATA ... [flags]", "lockstep data check run/shapes"});
  data.require_subcommand(0, 1);
  add_data_check_command(data, program);
  add_data_show_command(data, program);
  add_data_split_command(data, program);
  add_data_convert_command(data, program);
  data.callback([&] {
    if (data.get_subcommands().empty()) {
      program.action = []() -> int {
        LS_THROW(kConfig, "lockstep data: wanted check, show, split or convert; see lockstep data --help");
      };
    }
  });
}

}  // namespace lockstep::app
