// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/voc_reader.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/data/box_builder.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_files.h"
#include "lockstep/data/parallel_for.h"
#include "lockstep/data/size_from_file.h"
#include "lockstep/data/text_lines.h"
#include "lockstep/data/voc_file.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

struct Place {
  fs::path xml, images;
};

Place place_of(const fs::path& folder) {
  if (!fs::is_directory(folder / "Annotations")) return {folder, folder};
  for (const char* images : {"JPEGImages", "images", "Images"}) {
    if (fs::is_directory(folder / images)) return {folder / "Annotations", folder / images};
  }
  return {folder / "Annotations", folder};
}

bool holds_xml(const fs::path& folder) { return !files_with_extension(folder, ".xml").empty(); }

fs::path lists_of(const fs::path& folder) { return folder / "ImageSets" / "Main"; }

// Lists such as car_train.txt name the images of one class with a mark; they are no splits.
bool is_split_list(const fs::path& file) {
  const std::string stem = file.stem().string();
  return stem.find('_') == std::string::npos;
}

std::vector<fs::path> split_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->is_directory() && at->path().filename() != "Annotations" && holds_xml(at->path())) {
      found.push_back(at->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

class VocReader {
 public:
  VocReader(const std::string& folder, const std::string& split, DataReport& report)
      : folder_(folder), split_(split), report_(report) {}

  Dataset read() {
    report_.begin(split_.empty() ? folder_ : folder_ + ":" + split_);
    dataset_.name = fs::path(folder_).filename().string();
    if (dataset_.name.empty()) dataset_.name = fs::path(folder_).parent_path().filename().string();
    if (!split_.empty()) dataset_.name += "_" + split_;
    find_files();
    parse_files();
    collect_categories();
    for (const std::size_t file : chosen_) add_image(file);
    return std::move(dataset_);
  }

 private:
  // files_: all XML files of the folder; chosen_: those of the split.
  void find_files() {
    const fs::path list = lists_of(folder_) / (split_ + ".txt");
    if (split_.empty() || fs::exists(list)) {
      const Place place = place_of(folder_);
      add_files(place, split_.empty());
      if (split_.empty()) {
        for (const fs::path& folder : split_folders(folder_)) add_files({folder, folder}, true);
      } else {
        choose_listed(list, place);
      }
    } else {
      LS_CHECK(kData, holds_xml(fs::path(folder_) / split_), "voc:{}:{}: there is no such split; found {}", folder_,
               split_, voc_splits(folder_).empty() ? "none" : join_words(voc_splits(folder_)));
      for (const fs::path& folder : split_folders(folder_)) add_files({folder, folder}, folder.filename() == split_);
    }
    LS_CHECK(kData, !files_.empty(),
             "'{}' holds no VOC annotation files (*.xml, in it or in Annotations/); write voc:DIR[:split]", folder_);
    LS_CHECK(kData, !chosen_.empty(), "the split '{}' of {} is empty", split_, folder_);
  }

  void add_files(const Place& place, bool choose) {
    for (const fs::path& image : image_files(place.images, false)) {
      image_of_.emplace((place.images / image.stem()).string(), image);
    }
    for (const fs::path& xml : files_with_extension(place.xml, ".xml")) {
      if (choose) chosen_.push_back(files_.size());
      files_.push_back(xml);
      images_of_.push_back(place.images);
    }
  }

  void choose_listed(const fs::path& list, const Place& place) {
    std::map<std::string, std::size_t> number_of;
    for (std::size_t i = 0; i < files_.size(); ++i) number_of[files_[i].stem().string()] = i;
    for (const std::string& line : read_text_lines(list.string())) {
      const std::string name = line.substr(0, line.find_first_of(" \t"));
      const auto known = number_of.find(name);
      if (known != number_of.end()) {
        chosen_.push_back(known->second);
        continue;
      }
      report_.hit(Rule::kVocImageUnlabelled, [&] {
        return RuleExample{list.string(), fmt::format("'{}'", name),
                           fmt::format("has no annotation file {}", (place.xml / (name + ".xml")).string())};
      });
    }
    std::sort(chosen_.begin(), chosen_.end());
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
  }

  void parse_files() {
    parsed_.resize(files_.size());
    std::vector<std::optional<Error>> failed(files_.size());
    parallel_for(files_.size(), [&](std::size_t i) {
      const std::string path = files_[i].string();
      try {
        parsed_[i] = parse_voc_file(read_file(path), path);
      } catch (const Error& error) {
        failed[i].emplace(error);
      }
    });
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (failed[i]) report_.fail(Rule::kVocFileUnreadable, *failed[i], files_[i].string(), "");
    }
  }

  void collect_categories() {
    std::set<std::string> names;
    for (const auto& file : parsed_) {
      if (!file) continue;
      for (const VocObject& object : file->objects) {
        if (object.problem.empty()) names.insert(object.name);
        zero_based_ = zero_based_ || (object.problem.empty() && (object.xmin == 0 || object.ymin == 0));
      }
    }
    LS_CHECK(kData, !names.empty(), "no annotation file of {} holds an object, so there are no classes", folder_);
    for (const std::string& name : names) {
      class_of_[name] = static_cast<std::int32_t>(dataset_.categories.size());
      dataset_.categories.push_back({static_cast<std::int64_t>(dataset_.categories.size()) + 1, name});
    }
  }

  // The picture named like the XML file, else the one that the file names, else where the first should be.
  fs::path find_image(std::size_t number) {
    const VocFile& file = *parsed_[number];
    const fs::path by_name = images_of_[number] / files_[number].stem();
    if (!file.filename.empty() && fs::path(file.filename).stem() != files_[number].stem()) {
      report_.hit(Rule::kVocNameDiffers, [&] {
        return RuleExample{files_[number].string(), "", fmt::format("filename '{}'", file.filename)};
      });
    }
    if (const auto found = image_of_.find(by_name.string()); found != image_of_.end()) return found->second;
    if (!file.filename.empty() && fs::exists(images_of_[number] / file.filename)) {
      return images_of_[number] / file.filename;
    }
    return by_name.string() + ".jpg";
  }

  void add_image(std::size_t number) {
    if (!parsed_[number]) return;
    const VocFile& file = *parsed_[number];
    const fs::path path = find_image(number);
    ImageRecord image{static_cast<std::int64_t>(dataset_.images.size()) + 1,
                      path.filename().string(),
                      path.string(),
                      file.width,
                      file.height,
                      {}};
    if (file.width == 0 || file.height == 0) {
      report_.hit(Rule::kImageSizeMissing, [&] { return RuleExample{files_[number].string(), "", image.file_name}; });
      const std::optional<ImageSize> size = size_from_file(image.path, report_);
      if (!size) return;
      image.width = size->width;
      image.height = size->height;
    }
    for (std::size_t i = 0; i < file.objects.size(); ++i) add_object(files_[number].string(), i, file, image);
    dataset_.images.push_back(std::move(image));
  }

  void add_object(const std::string& path, std::size_t index, const VocFile& file, ImageRecord& image) {
    const VocObject& object = file.objects[index];
    const auto here = [&] {
      return RuleExample{path, fmt::format("object {} ('{}')", index + 1, object.name), object.problem};
    };
    ++objects_;
    if (!object.problem.empty()) return report_.hit(Rule::kVocObjectMalformed, here);
    if (object.difficult) report_.hit(Rule::kVocDifficult, here);
    if (object.xmin == 0 || object.ymin == 0) report_.hit(Rule::kVocZeroBased, here);
    // Corners that are equal stand for no box at all, though both ends count.
    const bool empty = object.xmax <= object.xmin || object.ymax <= object.ymin;
    const double shift = zero_based_ ? 0 : 1;
    const double x = object.xmin - shift, y = object.ymin - shift;
    const double width = empty ? object.xmax - object.xmin : object.xmax - x;
    const double height = empty ? object.ymax - object.ymin : object.ymax - y;
    add_stated_box({x, y, width, height, class_of_.at(object.name), false, width * height, objects_}, image, report_,
                   here);
  }

  const std::string& folder_;
  const std::string& split_;
  DataReport& report_;
  Dataset dataset_;
  std::vector<fs::path> files_, images_of_;
  std::vector<std::size_t> chosen_;
  std::vector<std::optional<VocFile>> parsed_;
  std::map<std::string, fs::path> image_of_;  // folder and stem -> picture
  std::map<std::string, std::int32_t> class_of_;
  std::int64_t objects_ = 0;
  bool zero_based_ = false;
};

}  // namespace

bool is_voc_folder(const std::string& folder) {
  return holds_xml(place_of(folder).xml) || !split_folders(folder).empty();
}

std::vector<std::string> voc_splits(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::path& list : files_with_extension(lists_of(folder), ".txt")) {
    if (is_split_list(list)) names.push_back(list.stem().string());
  }
  if (names.empty()) {
    for (const fs::path& split : split_folders(folder)) names.push_back(split.filename().string());
  }
  return names;
}

Dataset read_voc(const std::string& folder, const std::string& split, DataReport& report) {
  LS_CHECK(kData, fs::is_directory(folder), "the folder {} does not exist; wanted voc:DIR[:split]", folder);
  return VocReader(folder, split, report).read();
}

}  // namespace lockstep
