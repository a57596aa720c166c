// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/yolo_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/data/box_builder.h"
#include "lockstep/data/image_files.h"
#include "lockstep/data/parallel_for.h"
#include "lockstep/data/size_from_file.h"
#include "lockstep/data/text_lines.h"
#include "lockstep/data/yolo_label.h"
#include "lockstep/data/yolo_yaml.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

// The last folder called images becomes labels; else the file stands beside its picture.
fs::path label_path(const fs::path& image) {
  fs::path labels;
  const std::string text = image.string();
  const std::size_t at = text.rfind("/images/");
  const bool first = text.starts_with("images/");
  if (at != std::string::npos) {
    labels = text.substr(0, at) + "/labels/" + text.substr(at + 8);
  } else {
    labels = first ? "labels/" + text.substr(7) : text;
  }
  labels.replace_extension(".txt");
  if (fs::exists(labels)) return labels;
  const fs::path beside = fs::path(image).replace_extension(".txt");
  return fs::exists(beside) ? beside : labels;
}

// The pictures of a folder with those below, or those that a list file names, one on a line.
std::vector<fs::path> pictures_of(const std::string& place) {
  if (fs::is_directory(place)) return image_files(place, true);
  std::vector<fs::path> files;
  for (const std::string& line : read_text_lines(place)) {
    const fs::path beside = (fs::path(place).parent_path() / line).lexically_normal();
    files.push_back(fs::path(line).is_absolute() || (!fs::exists(beside) && fs::exists(line)) ? fs::path(line)
                                                                                              : beside);
  }
  return files;
}

// What one thread finds out about one picture.
struct Picture {
  fs::path path, label_file;
  bool labelled = false;
  SizeOrError size;
  std::optional<Error> label_error;
  std::vector<std::string> lines;
  std::vector<std::size_t> line_numbers;
};

void open_picture(Picture& picture) {
  picture.size = try_size_from_file(picture.path.string());
  picture.label_file = label_path(picture.path);
  picture.labelled = fs::is_regular_file(picture.label_file);
  if (!picture.labelled) return;
  try {
    picture.lines = read_text_lines(picture.label_file.string(), &picture.line_numbers);
  } catch (const Error& error) {
    picture.label_error.emplace(error);
  }
}

class YoloReader {
 public:
  YoloReader(const std::string& yaml_path, const std::string& split, DataReport& report)
      : yaml_path_(yaml_path), split_(split == "valid" ? "val" : split), report_(report) {}

  Dataset read() {
    const YoloYaml yaml = read_yolo_yaml(yaml_path_);
    report_.begin(yaml_path_ + ":" + split_);
    dataset_.name = fs::absolute(yaml_path_).parent_path().filename().string() + "_" + split_;
    for (std::size_t i = 0; i < yaml.names.size(); ++i) {
      dataset_.categories.push_back({static_cast<std::int64_t>(i), yaml.names[i]});
    }
    const auto places = yaml.splits.find(split_);
    LS_CHECK(kData, places != yaml.splits.end(),
             "{} has no split '{}' whose folder exists; check '{}' and 'path' in it", yaml_path_, split_, split_);
    std::set<fs::path> paths;
    for (const std::string& place : places->second) {
      for (const fs::path& path : pictures_of(place)) paths.insert(path);
    }
    LS_CHECK(kData, !paths.empty(), "{}: found no pictures for '{}' in {}", yaml_path_, split_,
             join_words(places->second));
    std::vector<Picture> pictures;
    for (const fs::path& path : paths) pictures.emplace_back().path = path;
    parallel_for(pictures.size(), [&](std::size_t i) { open_picture(pictures[i]); });
    for (const Picture& picture : pictures) add_picture(picture);
    LS_CHECK(kData, !dataset_.images.empty(), "{}: none of the {} pictures of '{}' can be read", yaml_path_,
             pictures.size(), split_);
    if (report_.collects()) look_for_lost_labels(pictures);
    return std::move(dataset_);
  }

 private:
  void add_picture(const Picture& picture) {
    const std::string path = picture.path.string();
    const std::optional<ImageSize> size = report_size(picture.size, path, report_);
    if (!size) return;
    ImageRecord image{static_cast<std::int64_t>(dataset_.images.size()) + 1,
                      picture.path.filename().string(),
                      path,
                      size->width,
                      size->height,
                      {}};
    if (picture.label_error) {
      report_.fail(Rule::kYoloLineMalformed, *picture.label_error, picture.label_file.string(), "");
    }
    if (!picture.labelled) {
      report_.hit(Rule::kYoloImageUnlabelled, [&] { return RuleExample{path, "", picture.label_file.string()}; });
    }
    for (std::size_t i = 0; i < picture.lines.size(); ++i) add_line(picture, i, image);
    dataset_.images.push_back(std::move(image));
  }

  void add_line(const Picture& picture, std::size_t index, ImageRecord& image) {
    const YoloLabel label = parse_yolo_label(picture.lines[index], dataset_.categories.size());
    const auto here = [&] {
      return RuleExample{picture.label_file.string(), fmt::format("line {}", picture.line_numbers[index]),
                         label.problem.empty() ? picture.lines[index].substr(0, 60) : label.problem};
    };
    if (!label.problem.empty()) {
      return report_.hit(label.unknown_class ? Rule::kYoloClassUnknown : Rule::kYoloLineMalformed, here);
    }
    if (label.out_of_range) return report_.hit(Rule::kYoloOutOfRange, here);
    if (label.polygon) report_.hit(Rule::kYoloPolygon, here);
    const double x = label.x1 * image.width, y = label.y1 * image.height;
    const double width = (label.x2 - label.x1) * image.width, height = (label.y2 - label.y1) * image.height;
    add_stated_box({x, y, width, height, static_cast<std::int32_t>(label.class_index), false, width * height, ++boxes_},
                   image, report_, here);
  }

  void look_for_lost_labels(const std::vector<Picture>& pictures) {
    std::set<fs::path> folders, used;
    for (const Picture& picture : pictures) {
      used.insert(picture.label_file);
      folders.insert(picture.label_file.parent_path());
    }
    for (const fs::path& folder : folders) {
      for (const fs::path& file : files_with_extension(folder, ".txt")) {
        if (file.stem() == "classes" || used.contains(file)) continue;
        report_.hit(Rule::kYoloLabelWithoutImage, [&] { return RuleExample{file.string(), "", ""}; });
      }
    }
  }

  const std::string& yaml_path_;
  const std::string split_;
  DataReport& report_;
  Dataset dataset_;
  std::int64_t boxes_ = 0;
};

}  // namespace

Dataset read_yolo(const std::string& yaml_path, const std::string& split, DataReport& report) {
  return YoloReader(yaml_path, split, report).read();
}

}  // namespace lockstep
