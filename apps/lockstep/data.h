// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "lockstep/config/config.h"
#include "lockstep/data/data_spec.h"

namespace lockstep::app {

// What the commands on data work on.
struct DataArguments {
  std::string recipe;  // --config-file
  std::vector<std::string> words;
};

// The places of the data, and the recipe with its image sizes and anchors.
struct DataPlaces {
  Config config;
  std::vector<DataLocation> train, test;
};

// Of DATA words: each with its training part and, where it has another one, its test part; the recipe is the base one
// unless --config-file names another. Without DATA words: DATASETS.TRAIN and DATASETS.TEST of the recipe.
DataPlaces find_data(const DataArguments& arguments);

// The folder that holds all pictures, absolute; "/" when they lie all over.
std::string common_folder(const Dataset& dataset);

// Writes the data set as a new COCO file; gives its DATA text. kConfig when the file exists.
std::string write_coco_file(const Dataset& dataset, const std::string& path);

// One function per subcommand, in the file of its name.
void add_data_check_command(CLI::App& data, Program& program);
void add_data_show_command(CLI::App& data, Program& program);
void add_data_split_command(CLI::App& data, Program& program);
void add_data_convert_command(CLI::App& data, Program& program);

}  // namespace lockstep::app
