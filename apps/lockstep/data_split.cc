// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "data.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/data/split.h"
#include "output.h"

namespace lockstep::app {
namespace {

struct SplitArguments {
  DataArguments data;
  double val = 0.2;
  std::string out;
  bool json = false;
};

Dataset read_all(const std::vector<DataLocation>& places) {
  DataReport report;
  std::vector<Dataset> parts;
  for (const DataLocation& place : places) parts.push_back(read_data(place, report));
  report.log();
  return concatenate(std::move(parts));
}

void print_written(const std::string& train, const std::string& val, bool json) {
  if (json) {
    print(fmt::format("{{\"train\": {}, \"val\": {}}}\n", json_quote(train), val.empty() ? "null" : json_quote(val)));
    return;
  }
  print(fmt::format("DATASETS.TRAIN {}\n", train) + (val.empty() ? "" : fmt::format("DATASETS.TEST {}\n", val)));
}

std::string file_in(const std::string& folder, const char* name) {
  LS_CHECK(kConfig, !folder.empty(), "where to? Name a folder for the new files by --out");
  return (std::filesystem::path(folder) / name).string();
}

int split(const SplitArguments& arguments) {
  const std::string train_file = file_in(arguments.out, "instances_train.json");
  const std::string val_file = file_in(arguments.out, "instances_val.json");
  const DataPlaces places = find_data(arguments.data);
  const auto [train, val] = split_by_name(read_all(places.train), arguments.val);
  const std::string train_text = write_coco_file(train, train_file);
  print_written(train_text, write_coco_file(val, val_file), arguments.json);
  return 0;
}

int convert(const SplitArguments& arguments) {
  const std::string train_file = file_in(arguments.out, "instances_train.json");
  const std::string val_file = file_in(arguments.out, "instances_val.json");
  const DataPlaces places = find_data(arguments.data);
  const Dataset train = read_all(places.train);
  std::string val;
  if (!places.test.empty()) {
    Dataset test = read_all(places.test);
    map_to_categories(test, train.categories, train.name);
    val = write_coco_file(test, val_file);
  }
  print_written(write_coco_file(train, train_file), val, arguments.json);
  return 0;
}

void add_common(CLI::App& command, SplitArguments& arguments) {
  command.add_option("--config-file", arguments.data.recipe, "the recipe whose data is meant");
  command.add_option("--out", arguments.out, "folder for the new files");
  add_json_flag(command, arguments.json);
}

}  // namespace

void add_data_split_command(CLI::App& data, Program& program) {
  const auto arguments = std::make_shared<SplitArguments>();
  CLI::App& command = add_command(data, {"split", "Hold a part of a data set out, chosen by the names of its pictures",
                                         "data split DATA ... --out DIR [--val 0.2]",
                                         "lockstep data split coco:all.json:images --val 0.2 --out run/split"});
  command.add_option("--val", arguments->val, "part to hold out (0.2)");
  add_common(command, *arguments);
  command.callback([&, arguments] {
    program.action = [&, arguments] {
      arguments->data.words = free_arguments(command);
      return split(*arguments);
    };
  });
}

void add_data_convert_command(CLI::App& data, Program& program) {
  const auto arguments = std::make_shared<SplitArguments>();
  CLI::App& command =
      add_command(data, {"convert", "Write a data set of any format as COCO files", "data convert DATA ... --out DIR",
                         "lockstep data convert voc:VOCdevkit/VOC2007 --out run/voc2007"});
  add_common(command, *arguments);
  command.callback([&, arguments] {
    program.action = [&, arguments] {
      arguments->data.words = free_arguments(command);
      return convert(*arguments);
    };
  });
}

}  // namespace lockstep::app
