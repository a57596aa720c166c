// SPDX-License-Identifier: Apache-2.0
#include "recipes.h"

#include <algorithm>
#include <filesystem>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/config/load.h"
#include "remarks.h"

namespace lockstep::app {
namespace fs = std::filesystem;

std::string recipe_folder() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return (program.parent_path().parent_path() / "share" / "lockstep" / "configs").string();
}

std::vector<std::string> recipe_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  const fs::path folder = recipe_folder();
  for (fs::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
    if (at->path().extension() != ".yaml") continue;
    names.push_back(at->path().lexically_relative(folder).replace_extension().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Config load_recipe(const std::string& file, const std::vector<std::string>& overrides) {
  LS_CHECK(kConfig, !file.empty(), "no recipe; name one by --config-file F or --config-file @NAME, with NAME one of {}",
           join_words(recipe_names()));
  const auto load = [&](const std::string& path) {
    Config config = load_config(path, overrides);
    log_notices("recipe", config);
    return config;
  };
  if (file[0] != '@') return load(file);
  const std::string name = file.substr(1);
  const std::vector<std::string> names = recipe_names();
  LS_CHECK(kConfig, std::find(names.begin(), names.end(), name) != names.end(), "no recipe '@{}' in {}; there are {}",
           name, recipe_folder(), join_words(names));
  return load((fs::path(recipe_folder()) / (name + ".yaml")).string());
}

}  // namespace lockstep::app
