// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/coco_json.h"

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>

#include <simdjson.h>

#include "lockstep/base/check.h"
#include "lockstep/base/json_places.h"
#include "lockstep/base/json_text.h"
#include "lockstep/base/log.h"

namespace lockstep {
namespace {

namespace dom = simdjson::dom;

// A JSON file and the errors about its records.
class JsonFile {
 public:
  explicit JsonFile(const std::filesystem::path& path) : path_(path.string()) {
    LS_CHECK(kData, std::filesystem::is_regular_file(path), "file '{}' does not exist or is not a file", path_);
    std::ifstream stream(path, std::ios::binary);
    text_.assign(std::istreambuf_iterator<char>(stream), {});
    LS_CHECK(kIo, stream.good() || stream.eof(), "cannot read '{}'", path_);
    // simdjson's answer to a byte order mark would mislead.
    const std::size_t skipped = text_.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
    const auto problem = parser_.parse(text_.data() + skipped, text_.size() - skipped).get(root_);
    if (problem == simdjson::SUCCESS) return;
    const std::optional<JsonFault> fault = find_json_fault(text_);
    LS_CHECK(kData, fault, "cannot read file '{}': {}", path_, simdjson::error_message(problem));
    LS_THROW(kData, "file '{}' ({} bytes), line and column {}, is not valid JSON: {}", path_, text_.size(),
             to_string(place_in(text_, fault->offset)), fault->what);
  }

  dom::element root() const { return root_; }
  const std::string& path() const { return path_; }

  dom::array list(const char* key) const {
    dom::array values;
    LS_CHECK(kData, root_[key].get_array().get(values) == simdjson::SUCCESS,
             "file '{}' has no list '{}'; is it a COCO annotation file?", path_, key);
    return values;
  }

  // Errors about record `index` (from 0) of `list` name it so.
  [[noreturn]] void refuse(const char* list, std::size_t index, const std::string& problem) const {
    LS_THROW(kData, "file '{}': {}[{}]: {}", path_, list, index, problem);
  }
  std::int64_t whole(dom::element record, const char* key, const char* list, std::size_t index) const {
    std::int64_t value = 0;
    if (record[key].get_int64().get(value) == simdjson::SUCCESS) return value;
    // Some exporters write ids as 12.0.
    double number = 0;
    if (record[key].get_double().get(number) == simdjson::SUCCESS && std::trunc(number) == number &&
        std::abs(number) < 9e15) {
      return static_cast<std::int64_t>(number);
    }
    refuse(list, index, fmt::format("'{}' is missing or not a whole number", key));
  }
  double number(dom::element record, const char* key, const char* list, std::size_t index) const {
    double value = 0;
    if (record[key].get_double().get(value) != simdjson::SUCCESS) {
      refuse(list, index, fmt::format("'{}' is missing or not a number", key));
    }
    return value;
  }
  template <typename Box>
  void box(dom::element record, const char* list, std::size_t index, Box& box) const {
    dom::array values;
    std::array<double, 4> numbers{};
    bool good = record["bbox"].get_array().get(values) == simdjson::SUCCESS && values.size() == 4;
    for (std::size_t i = 0; good && i < 4; ++i) good = values.at(i).get_double().get(numbers[i]) == simdjson::SUCCESS;
    if (!good) refuse(list, index, "'bbox' is missing or not a list of four numbers [x, y, width, height]");
    box.x = numbers[0];
    box.y = numbers[1];
    box.w = numbers[2];
    box.h = numbers[3];
  }

 private:
  std::string path_;
  std::string text_;
  dom::parser parser_;
  dom::element root_;
};

bool read_crowd(const JsonFile& file, dom::element record, std::size_t index) {
  dom::element value;
  if (record["iscrowd"].get(value) != simdjson::SUCCESS) return false;
  bool flag = false;
  if (value.get_bool().get(flag) == simdjson::SUCCESS) return flag;
  return file.number(record, "iscrowd", "annotations", index) != 0;
}

}  // namespace

EvalGroundTruth read_coco_ground_truth(const std::filesystem::path& path) {
  const JsonFile file(path);
  EvalGroundTruth truth;
  std::size_t index = 0;
  for (const dom::element image : file.list("images")) {
    truth.image_ids.push_back(file.whole(image, "id", "images", index++));
  }
  index = 0;
  for (const dom::element record : file.list("categories")) {
    EvalCategory& category = truth.categories.emplace_back();
    category.id = file.whole(record, "id", "categories", index);
    std::string_view name;
    if (record["name"].get_string().get(name) != simdjson::SUCCESS) {
      file.refuse("categories", index, "'name' is missing or not a text");
    }
    category.name = std::string(name);
    ++index;
  }
  index = 0;
  std::size_t without_area = 0;
  for (const dom::element record : file.list("annotations")) {
    EvalAnnotation& annotation = truth.annotations.emplace_back();
    annotation.id = file.whole(record, "id", "annotations", index);
    annotation.image_id = file.whole(record, "image_id", "annotations", index);
    annotation.category_id = file.whole(record, "category_id", "annotations", index);
    file.box(record, "annotations", index, annotation);
    annotation.crowd = read_crowd(file, record, index);
    dom::element area;
    if (record["area"].get(area) == simdjson::SUCCESS) {
      annotation.area = file.number(record, "area", "annotations", index);
    } else {
      annotation.area = annotation.w * annotation.h;
      ++without_area;
    }
    ++index;
  }
  if (without_area > 0) {
    log_warning("eval", "file '{}': {} of {} annotations have no 'area'; width x height is taken for it", file.path(),
                without_area, truth.annotations.size());
  }
  return truth;
}

std::vector<Detection> read_coco_results(const std::filesystem::path& path) {
  const JsonFile file(path);
  dom::array records;
  LS_CHECK(kData, file.root().get_array().get(records) == simdjson::SUCCESS,
           "file '{}' is not a list of results ([{{\"image_id\": .., \"category_id\": .., \"bbox\": [x, y, w, h], "
           "\"score\": ..}}, ...])",
           file.path());
  std::vector<Detection> detections;
  for (const dom::element record : records) {
    const std::size_t index = detections.size();
    Detection& detection = detections.emplace_back();
    detection.image_id = file.whole(record, "image_id", "results", index);
    detection.category_id = file.whole(record, "category_id", "results", index);
    file.box(record, "results", index, detection);
    detection.score = file.number(record, "score", "results", index);
  }
  return detections;
}

std::string coco_results_json(const std::vector<Detection>& detections) {
  std::string text = "[";
  for (const Detection& d : detections) {
    LS_CHECK(
        kNumeric,
        std::isfinite(d.x) && std::isfinite(d.y) && std::isfinite(d.w) && std::isfinite(d.h) && std::isfinite(d.score),
        "a detection of category {} in image {} has a box or score that is not finite", d.category_id, d.image_id);
    text += fmt::format("{}\n{{\"image_id\":{},\"category_id\":{},\"bbox\":[{},{},{},{}],\"score\":{}}}",
                        text.size() == 1 ? "" : ",", d.image_id, d.category_id, json_number(d.x), json_number(d.y),
                        json_number(d.w), json_number(d.h), json_number(d.score));
  }
  text += "\n]\n";
  return text;
}

}  // namespace lockstep
