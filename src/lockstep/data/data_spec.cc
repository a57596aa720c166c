// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/data_spec.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/data/coco_reader.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForms =
    "wanted coco:FILE.json:IMAGE_DIR, a folder in COCO layout, a name from DATASETS.CATALOG or a builtin name such as "
    "coco_2017_train";

// Where the images of an annotation file usually lie: beside it, one level up, or its own folder.
std::string guess_image_dir(const fs::path& json) {
  const fs::path folder = json.parent_path().empty() ? fs::path(".") : json.parent_path();
  for (const fs::path& candidate : {folder / "images", folder.parent_path() / "images"}) {
    if (fs::is_directory(candidate)) return candidate.string();
  }
  return folder.string();
}

CocoLocation parse_coco(const std::string& rest) {
  const std::size_t end = rest.find(".json:");
  if (end == std::string::npos) {
    LS_CHECK(kConfig, rest.ends_with(".json"), "'coco:{}' is not a data set: {}", rest, kForms);
    return {rest, guess_image_dir(rest)};
  }
  CocoLocation location{rest.substr(0, end + 5), rest.substr(end + 6)};
  LS_CHECK(kConfig, !location.image_dir.empty(), "'coco:{}' names no image directory: {}", rest, kForms);
  return location;
}

bool is_annotation_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return path.extension() == ".json" &&
         (name.starts_with("instances") || name.find("annotations") != std::string::npos);
}

std::vector<fs::path> annotation_files(const fs::path& folder) {
  std::vector<fs::path> found;
  std::vector<fs::path> folders = {folder};  // with the layouts of COCO and of Roboflow's export
  for (const char* sub : {"annotations", "train", "valid", "val", "test"}) folders.push_back(folder / sub);
  for (const fs::path& place : folders) {
    if (!fs::is_directory(place)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
      if (is_annotation_file(entry.path())) found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Among several files the one whose file or folder name says the split.
std::optional<fs::path> choose_file(const std::vector<fs::path>& files, const fs::path& folder, DataSplit split) {
  if (files.size() == 1) return files.front();
  const std::vector<const char*> words =
      split == DataSplit::kTrain ? std::vector<const char*>{"train"} : std::vector<const char*>{"val", "test"};
  for (const char* word : words) {
    std::vector<fs::path> named;
    std::copy_if(files.begin(), files.end(), std::back_inserter(named), [&](const fs::path& file) {
      return file.lexically_relative(folder).string().find(word) != std::string::npos;
    });
    if (named.size() == 1) return named.front();
  }
  return std::nullopt;
}

CocoLocation locate_in_folder(const std::string& folder, DataSplit split) {
  const std::vector<fs::path> files = annotation_files(folder);
  LS_CHECK(kData, !files.empty(),
           "found no COCO annotation file (instances*.json, *annotations*.json) in folder '{}' or its annotations/, "
           "train/, valid/, val/ and test/; write coco:FILE.json:IMAGE_DIR",
           folder);
  const std::optional<fs::path> file = choose_file(files, folder, split);
  if (!file) {
    std::vector<std::string> names;
    for (const fs::path& path : files) names.push_back(path.string());
    LS_THROW(
        kConfig,
        "folder '{}' holds {} annotation files and none is plainly the one for {}: {}; write coco:FILE.json:IMAGE_DIR",
        folder, files.size(), split == DataSplit::kTrain ? "training" : "testing", join_words(names));
  }
  return {file->string(), guess_image_dir(*file)};
}

// The names Detectron2 registers for COCO boxes, with its folders.
std::optional<CocoLocation> locate_builtin(const std::string& name) {
  static const std::map<std::string, std::pair<std::string, std::string>> kBuiltin = {
      {"coco_2014_train", {"instances_train2014", "train2014"}},
      {"coco_2014_val", {"instances_val2014", "val2014"}},
      {"coco_2014_minival", {"instances_minival2014", "val2014"}},
      {"coco_2014_valminusminival", {"instances_valminusminival2014", "val2014"}},
      {"coco_2017_train", {"instances_train2017", "train2017"}},
      {"coco_2017_val", {"instances_val2017", "val2017"}},
      {"coco_2017_val_100", {"instances_val2017_100", "val2017"}}};
  const auto found = kBuiltin.find(name);
  if (found == kBuiltin.end()) return std::nullopt;
  const char* root = std::getenv("DETECTRON2_DATASETS");
  const fs::path coco = fs::path(root != nullptr ? root : "datasets") / "coco";
  return CocoLocation{(coco / "annotations" / (found->second.first + ".json")).string(),
                      (coco / found->second.second).string()};
}

}  // namespace

CocoLocation locate_data(const std::string& data, const DataCatalog& catalog, DataSplit split) {
  LS_CHECK(kConfig, !data.empty(), "a data set's name is empty: {}", kForms);
  if (data.starts_with("coco:")) return parse_coco(data.substr(5));
  for (const char* format : {"voc:", "yolo:"}) {
    LS_CHECK(kUnsupported, !data.starts_with(format),
             "'{}': the {} format is not read yet; convert the annotations to COCO JSON and write "
             "coco:FILE.json:IMAGE_DIR",
             data, std::string(format, std::string(format).size() - 1));
  }
  if (const auto named = catalog.find(data); named != catalog.end()) {
    LS_CHECK(kConfig, named->second != data, "DATASETS.CATALOG: '{}' stands for itself", data);
    return locate_data(named->second, {}, split);
  }
  if (data.ends_with(".json")) return {data, guess_image_dir(data)};
  if (fs::is_directory(data)) return locate_in_folder(data, split);
  if (const std::optional<CocoLocation> builtin = locate_builtin(data)) return *builtin;
  std::vector<std::string> names;
  for (const auto& [name, text] : catalog) names.push_back(name);
  const std::string near = nearest_name(data, names);
  LS_THROW(kConfig, "'{}' is not a data set{}: {}", data, near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
           kForms);
}

Dataset load_dataset(const std::vector<std::string>& data, const DataCatalog& catalog, DataSplit split) {
  std::vector<Dataset> parts;
  for (const std::string& text : data) {
    const CocoLocation location = locate_data(text, catalog, split);
    parts.push_back(read_coco(location.json_path, location.image_dir));
    if (catalog.contains(text)) parts.back().name = text;
  }
  Dataset all = concatenate(std::move(parts));
  if (split == DataSplit::kTest) check_image_ids_differ(all);
  return all;
}

}  // namespace lockstep
