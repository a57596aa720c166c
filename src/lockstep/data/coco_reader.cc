// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/data/box_builder.h"
#include "lockstep/data/coco_segmentation.h"
#include "lockstep/data/json_record.h"
#include "lockstep/data/parallel_for.h"
#include "lockstep/data/record_checks.h"
#include "lockstep/data/size_from_file.h"

namespace lockstep {
namespace {

using simdjson::dom::element;

class CocoReader {
 public:
  CocoReader(const std::string& json_path, const std::string& image_dir, DataReport& report)
      : source_(json_path),
        file_(source_.path()),
        image_dir_(image_dir),
        in_image_dir_((std::filesystem::path(image_dir) / "").string()),
        report_(report) {}

  // As read(), from the outline of the file. Nothing when the whole file is needed; the report holds findings all the
  // same then.
  std::optional<Dataset> read_outline() {
    simdjson::dom::parser parser;
    if (!parse_json_outline(file_, parser, root_)) return std::nullopt;
    outlined_ = true;
    try {
      return read_root();
    } catch (const SegmentationNeeded&) {
      return std::nullopt;
    }
  }

  Dataset read() {
    simdjson::dom::parser parser;
    parse_json_file(file_, parser, root_);
    return read_root();
  }

 private:
  struct SegmentationNeeded {};

  Dataset read_root() {
    LS_CHECK(kData, root_.is_object(), "{} is not a COCO annotation file: its top level is not an object {{...}}",
             file_);
    report_.begin(file_);
    dataset_.name = std::filesystem::path(file_).stem().string();
    for_each("categories", "category", Rule::kCategoryMalformed, [&](const JsonRecord& record, std::size_t) {
      dataset_.categories.push_back({record.integer("id"), record.text("name")});
      if (record.has("supercategory")) groups_.insert(record.text("supercategory"));
    });
    index_categories();
    for_each("images", "image", Rule::kImageMalformed,
             [&](const JsonRecord& record, std::size_t) { read_image(record); });
    index_images();
    read_annotations();
    drop_groups();
    return std::move(dataset_);
  }

  // Reads every record of a list; one that cannot be read is a finding of `rule`.
  template <typename Read>
  void for_each(const char* list_name, const char* what, Rule rule, const Read& read) {
    std::size_t position = 0;
    for (const element value : list(list_name)) {
      const std::size_t number = position++;
      try {
        read(JsonRecord(value, source_, what, list_name, number), number);
      } catch (const Error& error) {
        report_.fail(rule, error, file_, fmt::format("{} number {} of '{}'", what, number + 1, list_name));
      }
    }
  }

  simdjson::dom::array list(const char* key) const {
    element value;
    LS_CHECK(kData, root_.at_key(key).get(value) == simdjson::SUCCESS,
             "{} is not a COCO annotation file: it has no list '{}'; wanted 'images', 'annotations' and 'categories'",
             file_, key);
    simdjson::dom::array array;
    LS_CHECK(kData, value.get(array) == simdjson::SUCCESS, "{}: '{}' is not a list [...]",
             source_.at(source_.place(key)), key);
    return array;
  }

  void index_categories() {
    std::vector<Category>& categories = dataset_.categories;
    LS_CHECK(kData, !categories.empty(), "{}: the list 'categories' is empty; wanted one entry per class",
             source_.at(source_.place("categories")));
    std::stable_sort(categories.begin(), categories.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    std::vector<Category> kept;
    for (Category& category : categories) {
      const auto class_index = static_cast<std::int32_t>(kept.size());
      const std::int32_t found = class_of_.emplace(category.id, class_index).first->second;
      if (found == class_index) {
        kept.push_back(std::move(category));
        continue;
      }
      report_.hit(Rule::kCategoryIdTwice, [&] {
        return RuleExample{file_, "",
                           fmt::format("two categories have the id {}: '{}' and '{}'; ids must differ", category.id,
                                       kept[static_cast<std::size_t>(found)].name, category.name),
                           place_of_second("categories", category.id)};
      });
    }
    categories = std::move(kept);
  }

  // The place of the id of the second record that has it.
  std::string place_of_second(const char* list_name, std::int64_t id) const {
    std::size_t position = 0;
    bool seen = false;
    for (const element value : list(list_name)) {
      element found;
      if (value.is_object() && value.at_key("id").get(found) == simdjson::SUCCESS && to_integer(found) == id) {
        if (seen) return source_.place(list_name, position, "id");
        seen = true;
      }
      ++position;
    }
    return "";
  }

  void read_image(const JsonRecord& record) {
    ImageRecord image{record.integer("id"), record.text("file_name"), "", 0, 0, {}};
    if (image.file_name.empty()) record.fail("file_name", "has an empty 'file_name'");
    image.path = find_image(record, image.file_name);
    if (!read_size(record, image)) return;
    dataset_.images.push_back(std::move(image));
  }

  // Where the name says; else, when there is no such file, where it may have been meant.
  std::string find_image(const JsonRecord& record, const std::string& name) {
    namespace fs = std::filesystem;
    if (name.find_first_of("/\\") == std::string::npos) return in_image_dir_ + name;
    const fs::path folder(image_dir_), stated = folder / name;
    const fs::path above =
        (folder / "").lexically_normal().parent_path().parent_path();  // with or without a last slash
    if (fs::exists(stated)) return stated.string();
    std::string slashed = name;
    std::replace(slashed.begin(), slashed.end(), '\\', '/');
    for (const fs::path& guess : {folder / slashed, above / slashed}) {
      if (!fs::exists(guess)) continue;
      report_.hit(Rule::kImagePathMended, [&] { return RuleExample{file_, record.label(), "'" + name + "'"}; });
      return guess.lexically_normal().string();
    }
    return stated.string();
  }

  // False when the image has to be left out.
  bool read_size(const JsonRecord& record, ImageRecord& image) {
    if (!record.has("width") || !record.has("height")) {
      report_.hit(Rule::kImageSizeMissing, [&] { return RuleExample{file_, record.label(), image.file_name}; });
      const std::optional<ImageSize> size = size_from_file(image.path, report_);
      if (!size) return false;
      image.width = size->width;
      image.height = size->height;
      return true;
    }
    const std::int64_t width = record.integer("width"), height = record.integer("height");
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    if (width < 1 || height < 1 || width > kMax || height > kMax) {
      record.fail(width < 1 || width > kMax ? "width" : "height",
                  fmt::format("has the size {} x {}; wanted pixels, at least 1 x 1", width, height));
    }
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
    return true;
  }

  void index_images() {
    std::vector<ImageRecord>& images = dataset_.images;
    LS_CHECK(kData, !images.empty(), "{}: the list 'images' is empty; nothing to train or evaluate on",
             source_.at(source_.place("images")));
    std::stable_sort(images.begin(), images.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    const auto same_id = [&](const ImageRecord& a, const ImageRecord& b) {
      if (a.id != b.id) return false;
      report_.hit(Rule::kImageIdTwice, [&] {
        return RuleExample{
            file_, "",
            fmt::format("two images have the id {}: '{}' and '{}'; ids must differ", a.id, a.file_name, b.file_name),
            place_of_second("images", a.id)};
      });
      return true;
    };
    images.erase(std::unique(images.begin(), images.end(), same_id), images.end());
    image_of_.reserve(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) image_of_.emplace(images[i].id, i);
  }

  // The boxes of some annotations that follow one another, and what was found in them.
  struct Block {
    explicit Block(DataReport::Mode mode) : report(mode) {}
    struct Found {
      std::size_t image;
      GroundTruthBox box;
    };
    std::vector<Found> boxes;
    DataReport report;
  };

  // Blocks are read on all cores and joined in the order of the file.
  void read_annotations() {
    std::vector<element> values;
    const simdjson::dom::array annotations = list("annotations");
    values.reserve(annotations.size());
    for (const element value : annotations) values.push_back(value);
    const std::size_t block_size = report_.collects() ? values.size() : 4096;  // a look at all ids needs one block
    const std::size_t count = values.empty() ? 0 : (values.size() + block_size - 1) / block_size;
    std::vector<Block> blocks(count, Block(report_.mode()));
    std::atomic<bool> segmentation_needed{false};
    parallel_for(count, [&](std::size_t b) {
      blocks[b].report.begin(file_);
      blocks[b].boxes.reserve(std::min(block_size, values.size() - b * block_size));
      const std::size_t end = std::min(values.size(), (b + 1) * block_size);
      try {
        for (std::size_t i = b * block_size; i < end && !segmentation_needed; ++i) {
          read_annotation(values[i], i, blocks[b]);
        }
      } catch (const SegmentationNeeded&) {
        segmentation_needed = true;
      }
    });
    if (segmentation_needed) throw SegmentationNeeded();
    std::vector<std::size_t> boxes_of(dataset_.images.size());
    for (const Block& block : blocks) {
      report_.append(block.report);
      for (const Block::Found& found : block.boxes) ++boxes_of[found.image];
    }
    for (std::size_t i = 0; i < boxes_of.size(); ++i) dataset_.images[i].boxes.reserve(boxes_of[i]);
    for (const Block& block : blocks) {
      for (const Block::Found& found : block.boxes) dataset_.images[found.image].boxes.push_back(found.box);
    }
  }

  void read_annotation(const element& value, std::size_t position, Block& block) {
    try {
      read_annotation(JsonRecord(value, source_, "annotation", "annotations", position), position, block);
    } catch (const Error& error) {
      block.report.fail(Rule::kAnnotationMalformed, error, file_,
                        fmt::format("annotation number {} of 'annotations'", position + 1));
    }
  }

  void read_annotation(const JsonRecord& record, std::size_t position, Block& block) {
    const auto unknown = [&](Rule rule, const char* key, const auto& detail) {
      block.report.hit(rule, [&] { return RuleExample{file_, record.label(), detail(), record.place(key)}; });
    };
    const std::int64_t image_id = record.integer("image_id");
    const auto image = image_of_.find(image_id);
    if (image == image_of_.end()) {
      return unknown(Rule::kImageIdUnknown, "image_id",
                     [&] { return fmt::format("has image_id {}, but no image has this id", image_id); });
    }
    const std::int64_t category_id = record.integer("category_id");
    const auto category = class_of_.find(category_id);
    if (category == class_of_.end()) {
      return unknown(Rule::kCategoryIdUnknown, "category_id", [&] {
        return fmt::format("has category_id {}, but no category has this id (they go from {} to {})", category_id,
                           dataset_.categories.front().id, dataset_.categories.back().id);
      });
    }
    add_box(record, position + 1, image->second, category->second, block);
  }

  void add_box(const JsonRecord& record, std::size_t number, std::size_t image_index, std::int32_t class_index,
               Block& block) {
    const ImageRecord& image = dataset_.images[image_index];
    DataReport& report = block.report;
    const auto here = [&] { return RuleExample{file_, record.label(), fmt::format("image '{}'", image.file_name)}; };
    const auto has = [&](const char* key, Rule otherwise) {
      const bool present = record.has(key);
      if (!present) report.hit(otherwise, here);
      return present;
    };
    const std::array<double, 4> bbox = read_bbox(record, report, here);  // x, y, width, height
    if (record.has("ignore") && record.flag("ignore")) return report.hit(Rule::kBoxIgnored, here);
    const bool crowd = has("iscrowd", Rule::kIscrowdMissing) && record.flag("iscrowd");
    const double area = has("area", Rule::kAreaMissing) ? record.number("area") : bbox[2] * bbox[3];
    const std::int64_t id =
        has("id", Rule::kAnnotationIdMissing) ? record.integer("id") : static_cast<std::int64_t>(number);
    if (report.collects()) look_closer(record, id, report, here);
    const StatedBox box{bbox[0], bbox[1], bbox[2], bbox[3], class_index, crowd, area, id};
    if (const auto clipped = clipped_box(box, image, report, std::cref(here))) {
      block.boxes.push_back({image_index, *clipped});
    }
  }

  // What concerns no run, and would take a run's time.
  void look_closer(const JsonRecord& record, std::int64_t id, DataReport& report, const auto& here) {
    if (!annotation_ids_.insert(id).second) report.hit(Rule::kAnnotationIdTwice, here);
    if (record.has("segmentation") && !is_usable_segmentation(record.value("segmentation"))) {
      report.hit(Rule::kSegmentationUnusable, here);
    }
  }

  std::array<double, 4> read_bbox(const JsonRecord& record, DataReport& report, const auto& here) const {
    if (!record.has("bbox") && record.has("segmentation")) {
      if (outlined_) throw SegmentationNeeded();
      if (const auto box = segmentation_box(record.value("segmentation"))) {
        report.hit(Rule::kBboxFromSegmentation, here);
        return *box;
      }
    }
    return record.four_numbers("bbox");
  }

  // Roboflow writes the group of all classes as a category, with no box.
  void drop_groups() {
    std::vector<bool> used(dataset_.categories.size());
    for (const ImageRecord& image : dataset_.images) {
      for (const GroundTruthBox& box : image.boxes) used[static_cast<std::size_t>(box.class_index)] = true;
    }
    std::vector<Category> kept;
    std::vector<std::int32_t> new_index;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const Category& category = dataset_.categories[i];
      new_index.push_back(static_cast<std::int32_t>(kept.size()));
      if (!used[i] && groups_.contains(category.name)) {
        report_.hit(Rule::kCategoryGroup, [&] { return RuleExample{file_, "", category.name}; });
      } else {
        kept.push_back(category);
      }
    }
    if (kept.empty() || kept.size() == used.size()) return;
    for (ImageRecord& image : dataset_.images) {
      for (GroundTruthBox& box : image.boxes) box.class_index = new_index[static_cast<std::size_t>(box.class_index)];
    }
    dataset_.categories = std::move(kept);
  }

  const JsonSource source_;
  const std::string& file_;  // its path
  const std::string& image_dir_;
  const std::string in_image_dir_;  // with a slash behind it
  DataReport& report_;
  element root_;
  bool outlined_ = false;  // segmentations that are lists are [] in root_
  Dataset dataset_;
  std::unordered_map<std::int64_t, std::int32_t> class_of_;  // category id -> class index; only looked up
  std::unordered_map<std::int64_t, std::size_t> image_of_;   // image id -> position; only looked up
  std::set<std::string> groups_;                             // supercategories
  std::unordered_set<std::int64_t> annotation_ids_;          // seen; only when the report collects
};

}  // namespace

Dataset read_coco(const std::string& json_path, const std::string& image_dir, DataReport& report) {
  LS_CHECK(kData, std::filesystem::exists(json_path),
           "the annotation file {} does not exist; check the path in the data set's name (coco:FILE.json:IMAGE_DIR)",
           json_path);
  if (!report.collects()) {  // else every byte is to be checked
    DataReport findings = report;
    if (std::optional<Dataset> dataset = CocoReader(json_path, image_dir, findings).read_outline()) {
      report = std::move(findings);
      return std::move(*dataset);
    }
  }
  return CocoReader(json_path, image_dir, report).read();
}

Dataset read_coco(const std::string& json_path, const std::string& image_dir) {
  DataReport report;
  Dataset dataset = read_coco(json_path, image_dir, report);
  check_records(dataset, report);
  report.log();
  return dataset;
}

}  // namespace lockstep
