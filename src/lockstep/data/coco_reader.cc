// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_reader.h"

#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <unordered_map>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"
#include "lockstep/base/text.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/json_record.h"

namespace lockstep {
namespace {

using simdjson::dom::element;

// How often one rule changed something, and where it did so first.
struct Finding {
  std::int64_t count = 0;
  std::string example;
  void add(const auto& describe) {
    if (count++ == 0) example = describe();
  }
  void report(const std::string& file, const char* what) const {
    if (count > 0) log_warning("data", "{}: {} {} (first: {})", file, count, what, example);
  }
};

class CocoReader {
 public:
  CocoReader(const std::string& json_path, const std::string& image_dir) : file_(json_path), image_dir_(image_dir) {}

  Dataset read() {
    simdjson::dom::parser parser;
    parse_json_file(file_, parser, root_);
    LS_CHECK(kData, root_.is_object(), "{} is not a COCO annotation file: its top level is not an object {{...}}",
             file_);
    dataset_.name = std::filesystem::path(file_).stem().string();
    read_categories(list("categories"));
    read_images(list("images"));
    read_annotations(list("annotations"));
    report();
    return std::move(dataset_);
  }

 private:
  simdjson::dom::array list(const char* key) const {
    element value;
    LS_CHECK(kData, root_.at_key(key).get(value) == simdjson::SUCCESS,
             "{} is not a COCO annotation file: it has no list '{}'; wanted 'images', 'annotations' and 'categories'",
             file_, key);
    simdjson::dom::array array;
    LS_CHECK(kData, value.get(array) == simdjson::SUCCESS, "{}: '{}' is not a list [...]", file_, key);
    return array;
  }

  void read_categories(simdjson::dom::array records) {
    std::size_t position = 0;
    for (const element value : records) {
      const JsonRecord record(value, file_, "category", "categories", position++);
      dataset_.categories.push_back({record.integer("id"), record.text("name")});
    }
    std::vector<Category>& categories = dataset_.categories;
    LS_CHECK(kData, !categories.empty(), "{}: the list 'categories' is empty; wanted one entry per class", file_);
    std::stable_sort(categories.begin(), categories.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    for (std::size_t i = 0; i < categories.size(); ++i) {
      const Category& category = categories[i];
      const bool fresh = class_of_.emplace(category.id, static_cast<std::int32_t>(i)).second;
      LS_CHECK(kData, fresh, "{}: two categories have the id {}: '{}' and '{}'; ids must differ", file_, category.id,
               categories[i - 1].name, category.name);
    }
  }

  void read_images(simdjson::dom::array records) {
    std::size_t position = 0;
    for (const element value : records) {
      const JsonRecord record(value, file_, "image", "images", position++);
      ImageRecord image{record.integer("id"), record.text("file_name"), "", 0, 0, {}};
      if (image.file_name.empty()) record.fail("has an empty 'file_name'");
      image.path = (std::filesystem::path(image_dir_) / image.file_name).string();
      read_size(record, image);
      dataset_.images.push_back(std::move(image));
    }
    std::vector<ImageRecord>& images = dataset_.images;
    LS_CHECK(kData, !images.empty(), "{}: the list 'images' is empty; nothing to train or evaluate on", file_);
    std::stable_sort(images.begin(), images.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    image_of_.reserve(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
      LS_CHECK(kData, image_of_.emplace(images[i].id, i).second,
               "{}: two images have the id {}: '{}' and '{}'; ids must differ", file_, images[i].id,
               images[i - 1].file_name, images[i].file_name);
    }
  }

  void read_size(const JsonRecord& record, ImageRecord& image) {
    if (!record.has("width") || !record.has("height")) {
      sizes_from_files_.add([&] { return image.file_name; });
      const ImageSize size = read_image_size(image.path);
      image.width = size.width;
      image.height = size.height;
      return;
    }
    const std::int64_t width = record.integer("width"), height = record.integer("height");
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    if (width < 1 || height < 1 || width > kMax || height > kMax) {
      record.fail(fmt::format("has the size {} x {}; wanted pixels, at least 1 x 1", width, height));
    }
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
  }

  void read_annotations(simdjson::dom::array records) {
    std::size_t position = 0;
    for (const element value : records) {
      const JsonRecord record(value, file_, "annotation", "annotations", position++);
      const std::int64_t image_id = record.integer("image_id");
      const auto image = image_of_.find(image_id);
      if (image == image_of_.end()) record.fail(fmt::format("has image_id {}, but no image has this id", image_id));
      const std::int64_t category_id = record.integer("category_id");
      const auto category = class_of_.find(category_id);
      if (category == class_of_.end()) {
        record.fail(fmt::format("has category_id {}, but no category has this id (they go from {} to {})", category_id,
                                dataset_.categories.front().id, dataset_.categories.back().id));
      }
      add_box(record, position, dataset_.images[image->second], category->second);
    }
  }

  void add_box(const JsonRecord& record, std::size_t number, ImageRecord& image, std::int32_t class_index) {
    const std::vector<double> bbox = record.numbers("bbox", 4);  // x, y, width, height
    const auto here = [&] {
      return fmt::format("{}, bbox [{}], image '{}'", record.name(), fmt::join(bbox, ", "), image.file_name);
    };
    if (record.has("ignore") && record.flag("ignore")) return ignored_.add(here);
    if (!record.has("iscrowd")) without_iscrowd_.add(here);
    if (!record.has("area")) without_area_.add(here);
    const auto clip = [&](double value, int limit) {
      return static_cast<float>(std::clamp(value, 0.0, static_cast<double>(limit)));
    };
    GroundTruthBox box{clip(bbox[0], image.width),
                       clip(bbox[1], image.height),
                       clip(bbox[0] + bbox[2], image.width),
                       clip(bbox[1] + bbox[3], image.height),
                       class_index,
                       record.has("iscrowd") && record.flag("iscrowd"),
                       record.has("area") ? record.number("area") : bbox[2] * bbox[3],
                       record.has("id") ? record.integer("id") : static_cast<std::int64_t>(number)};
    if (!(bbox[2] > 0 && bbox[3] > 0)) return without_size_.add(here);
    if (!(box.x2 > box.x1 && box.y2 > box.y1)) return outside_.add(here);
    const bool inside = bbox[0] >= 0 && bbox[1] >= 0 && bbox[0] + bbox[2] <= image.width + kSlack &&
                        bbox[1] + bbox[3] <= image.height + kSlack;
    if (!inside) clipped_.add(here);
    image.boxes.push_back(box);
  }

  void report() const {
    without_size_.report(file_, "boxes dropped because their width or height is not positive");
    outside_.report(file_, "boxes dropped because they lie outside their image");
    ignored_.report(file_, "annotations dropped because they say 'ignore': 1");
    clipped_.report(file_, "boxes clipped to their image");
    without_iscrowd_.report(file_, "annotations without 'iscrowd', taken as 0");
    without_area_.report(file_, "annotations without 'area', taken as width * height");
    sizes_from_files_.report(file_, "images without 'width' and 'height', read from the files");
    std::vector<bool> used(dataset_.categories.size());
    for (const ImageRecord& image : dataset_.images) {
      for (const GroundTruthBox& box : image.boxes) used[static_cast<std::size_t>(box.class_index)] = true;
    }
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) unused.push_back(dataset_.categories[i].name);
    }
    if (!unused.empty()) {
      log_warning("data", "{}: {} of {} categories have no box in any image: {}", file_, unused.size(), used.size(),
                  join_words(unused));
    }
  }

  static constexpr double kSlack = 1e-3;  // rounding of coordinates that were written as text

  const std::string& file_;
  const std::string& image_dir_;
  element root_;
  Dataset dataset_;
  std::unordered_map<std::int64_t, std::int32_t> class_of_;  // category id -> class index; only looked up
  std::unordered_map<std::int64_t, std::size_t> image_of_;   // image id -> position; only looked up
  Finding without_size_, outside_, ignored_, clipped_, without_iscrowd_, without_area_, sizes_from_files_;
};

}  // namespace

Dataset read_coco(const std::string& json_path, const std::string& image_dir) {
  LS_CHECK(kData, std::filesystem::exists(json_path),
           "the annotation file {} does not exist; check the path in the data set's name (coco:FILE.json:IMAGE_DIR)",
           json_path);
  return CocoReader(json_path, image_dir).read();
}

}  // namespace lockstep
