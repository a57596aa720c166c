// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lockstep {

// A YOLO data file (data.yaml).
struct YoloYaml {
  std::vector<std::string> names;                          // by class
  std::map<std::string, std::vector<std::string>> splits;  // "train", "val", "test": folders or list files that exist
};

// Reads the file. Paths are resolved against `path` in it and its own folder; "../train/images", as Roboflow writes it
// for a folder beside the file, is found too. `names` is a list, or a mapping from 0, 1, ...
// Throws kData naming the file and what is missing in it; a split whose folder is missing is left out of `splits`.
YoloYaml read_yolo_yaml(const std::string& yaml_path);

}  // namespace lockstep
