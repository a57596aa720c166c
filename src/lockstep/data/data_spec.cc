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
#include "lockstep/data/record_checks.h"
#include "lockstep/data/voc_reader.h"
#include "lockstep/data/yolo_reader.h"
#include "lockstep/data/yolo_yaml.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForms =
    "wanted coco:FILE.json:IMAGE_DIR, voc:DIR[:split], yolo:data.yaml[:split], a folder in one of these formats, a "
    "name "
    "from DATASETS.CATALOG or a builtin name such as coco_2017_train";

// Where the images of an annotation file usually lie: beside it, one level up, or its own folder.
std::string guess_image_dir(const fs::path& json) {
  const fs::path folder = json.parent_path().empty() ? fs::path(".") : json.parent_path();
  for (const fs::path& candidate : {folder / "images", folder.parent_path() / "images"}) {
    if (fs::is_directory(candidate)) return candidate.string();
  }
  return folder.string();
}

DataLocation parse_coco(const std::string& rest) {
  const std::size_t end = rest.find(".json:");
  if (end == std::string::npos) {
    LS_CHECK(kConfig, rest.ends_with(".json"), "'coco:{}' is not a data set: {}", rest, kForms);
    return {DataFormat::kCoco, rest, guess_image_dir(rest), ""};
  }
  DataLocation location{DataFormat::kCoco, rest.substr(0, end + 5), rest.substr(end + 6), ""};
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

DataLocation locate_coco_in_folder(const std::string& folder, const std::vector<fs::path>& files, DataSplit split) {
  const std::optional<fs::path> file = choose_file(files, folder, split);
  if (!file) {
    std::vector<std::string> names;
    for (const fs::path& path : files) names.push_back(path.string());
    LS_THROW(
        kConfig,
        "folder '{}' holds {} annotation files and none is plainly the one for {}: {}; write coco:FILE.json:IMAGE_DIR",
        folder, files.size(), split == DataSplit::kTrain ? "training" : "testing", join_words(names));
  }
  return {DataFormat::kCoco, file->string(), guess_image_dir(*file), ""};
}

// The first of the names that stands for this part of the data and is there.
std::optional<std::string> choose_split(const std::vector<std::string>& present, DataSplit split) {
  using Names = std::vector<const char*>;
  const Names wanted = split == DataSplit::kTrain ? Names{"train", "trainval"} : Names{"val", "valid", "test"};
  for (const char* name : wanted) {
    if (std::find(present.begin(), present.end(), name) != present.end()) return name;
  }
  return std::nullopt;
}

DataLocation locate_voc(const std::string& folder, DataSplit split) {
  const std::vector<std::string> splits = voc_splits(folder);
  if (splits.empty()) return {DataFormat::kVoc, folder, "", ""};
  const std::optional<std::string> chosen = choose_split(splits, split);
  LS_CHECK(kConfig, chosen,
           "the VOC folder '{}' has the splits {}, and none is plainly the one for {}; write voc:{}:{}", folder,
           join_words(splits), split == DataSplit::kTrain ? "training" : "evaluation", folder, splits[0]);
  return {DataFormat::kVoc, folder, "", *chosen};
}

DataLocation parse_voc(const std::string& rest, DataSplit split) {
  LS_CHECK(kConfig, !rest.empty(), "'voc:' names no folder: {}", kForms);
  const std::size_t colon = rest.rfind(':');
  if (fs::is_directory(rest) || colon == std::string::npos) return locate_voc(rest, split);
  return {DataFormat::kVoc, rest.substr(0, colon), "", rest.substr(colon + 1)};
}

DataLocation locate_yolo(const std::string& yaml_path, DataSplit split) {
  std::vector<std::string> splits;
  for (const auto& [name, places] : read_yolo_yaml(yaml_path).splits) splits.push_back(name);
  LS_CHECK(kData, !splits.empty(), "{}: none of the folders that 'train', 'val' and 'test' name exists; check 'path'",
           yaml_path);
  const std::optional<std::string> chosen = choose_split(splits, split);
  return {DataFormat::kYolo, yaml_path, "", chosen.value_or(splits[0])};
}

DataLocation parse_yolo(const std::string& rest, DataSplit split) {
  for (const std::string ending : {".yaml", ".yml"}) {
    const std::size_t end = rest.find(ending + ":");
    if (end == std::string::npos) continue;
    return {DataFormat::kYolo, rest.substr(0, end + ending.size()), "", rest.substr(end + ending.size() + 1)};
  }
  LS_CHECK(kConfig, rest.ends_with(".yaml") || rest.ends_with(".yml"), "'yolo:{}' is not a data set: {}", rest, kForms);
  return locate_yolo(rest, split);
}

// The data.yaml of a folder, or its only YAML file with names.
std::optional<std::string> yolo_file(const fs::path& folder) {
  for (const char* name : {"data.yaml", "dataset.yaml", "data.yml"}) {
    if (fs::is_regular_file(folder / name)) return (folder / name).string();
  }
  return std::nullopt;
}

DataLocation locate_in_folder(const std::string& folder, DataSplit split) {
  const std::vector<fs::path> files = annotation_files(folder);
  if (!files.empty()) return locate_coco_in_folder(folder, files, split);
  if (const std::optional<std::string> yaml = yolo_file(folder)) return locate_yolo(*yaml, split);
  LS_CHECK(
      kData, is_voc_folder(folder),
      "found no annotations in the folder '{}': no COCO file (instances*.json, *annotations*.json) in it or its "
      "annotations/, train/, valid/, val/ and test/, no YOLO data.yaml, and no VOC files (*.xml, Annotations/*.xml, "
      "train/*.xml); name the files: coco:FILE.json:IMAGE_DIR, voc:DIR[:split] or yolo:data.yaml[:split]",
      folder);
  return locate_voc(folder, split);
}

// The names Detectron2 registers for COCO boxes, with its folders.
std::optional<DataLocation> locate_builtin(const std::string& name) {
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
  return DataLocation{DataFormat::kCoco, (coco / "annotations" / (found->second.first + ".json")).string(),
                      (coco / found->second.second).string(), ""};
}

}  // namespace

DataLocation locate_data(const std::string& data, const DataCatalog& catalog, DataSplit split) {
  LS_CHECK(kConfig, !data.empty(), "a data set's name is empty: {}", kForms);
  if (data.starts_with("coco:")) return parse_coco(data.substr(5));
  if (data.starts_with("voc:")) return parse_voc(data.substr(4), split);
  if (data.starts_with("yolo:")) return parse_yolo(data.substr(5), split);
  if (const auto named = catalog.find(data); named != catalog.end()) {
    LS_CHECK(kConfig, named->second != data, "DATASETS.CATALOG: '{}' stands for itself", data);
    return locate_data(named->second, {}, split);
  }
  if (data.ends_with(".json")) return parse_coco(data);
  if ((data.ends_with(".yaml") || data.ends_with(".yml")) && fs::exists(data)) return locate_yolo(data, split);
  if (fs::is_directory(data)) return locate_in_folder(data, split);
  if (const std::optional<DataLocation> builtin = locate_builtin(data)) return *builtin;
  std::vector<std::string> names;
  for (const auto& [name, text] : catalog) names.push_back(name);
  const std::string near = nearest_name(data, names);
  LS_THROW(kConfig, "'{}' is not a data set{}: {}", data, near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
           kForms);
}

std::string to_text(const DataLocation& location) {
  const std::string split = location.split.empty() ? "" : ":" + location.split;
  if (location.format == DataFormat::kCoco) return "coco:" + location.annotations + ":" + location.image_dir;
  return (location.format == DataFormat::kVoc ? "voc:" : "yolo:") + location.annotations + split;
}

Dataset read_data(const DataLocation& location, DataReport& report) {
  Dataset dataset;
  switch (location.format) {
    case DataFormat::kCoco: dataset = read_coco(location.annotations, location.image_dir, report); break;
    case DataFormat::kVoc: dataset = read_voc(location.annotations, location.split, report); break;
    case DataFormat::kYolo: dataset = read_yolo(location.annotations, location.split, report); break;
  }
  check_records(dataset, report);
  return dataset;
}

namespace {

// Moves made-up image ids behind those that files state, so that evaluation can tell all images apart.
void separate_image_ids(std::vector<Dataset>& parts, const std::vector<DataFormat>& formats) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (formats[i] != DataFormat::kCoco) continue;
    for (const ImageRecord& image : parts[i].images) last = std::max(last, image.id);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (formats[i] == DataFormat::kCoco) continue;
    for (ImageRecord& image : parts[i].images) image.id += last;
    last += static_cast<std::int64_t>(parts[i].images.size());
  }
}

}  // namespace

Dataset load_dataset(const std::vector<std::string>& data, const DataCatalog& catalog, DataSplit split,
                     DataReport& report) {
  std::vector<Dataset> parts;
  std::vector<DataFormat> formats;
  for (const std::string& text : data) {
    const DataLocation location = locate_data(text, catalog, split);
    parts.push_back(read_data(location, report));
    formats.push_back(location.format);
    if (catalog.contains(text)) parts.back().name = text;
  }
  if (split == DataSplit::kTest) separate_image_ids(parts, formats);
  Dataset all = concatenate(std::move(parts));
  if (split == DataSplit::kTest) check_image_ids_differ(all);
  return all;
}

Dataset load_dataset(const std::vector<std::string>& data, const DataCatalog& catalog, DataSplit split) {
  DataReport report;
  Dataset dataset = load_dataset(data, catalog, split, report);
  report.log();
  return dataset;
}

}  // namespace lockstep
