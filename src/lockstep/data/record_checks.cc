// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/record_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

// The name in lower case without blanks at the ends.
std::string plain_name(const std::string& name) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  auto begin = std::find_if_not(name.begin(), name.end(), blank);
  auto end = std::find_if_not(name.rbegin(), std::make_reverse_iterator(begin), blank).base();
  std::string plain(begin, end);
  std::transform(plain.begin(), plain.end(), plain.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return plain;
}

void check_categories(const Dataset& dataset, DataReport& report, const std::string& source) {
  std::vector<bool> used(dataset.categories.size());
  for (const ImageRecord& image : dataset.images) {
    for (const GroundTruthBox& box : image.boxes) used[static_cast<std::size_t>(box.class_index)] = true;
  }
  std::set<std::string> names;
  std::map<std::string, std::string> plain_names;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const std::string& name = dataset.categories[i].name;
    if (!names.insert(name).second) {
      report.hit(Rule::kCategoryNameTwice, [&] {
        return RuleExample{source, "", fmt::format("two categories are named '{}'; names must differ", name)};
      });
    }
    const std::string& first = plain_names.emplace(plain_name(name), name).first->second;
    if (first != name) {
      report.hit(Rule::kCategoryNameSimilar, [&] {
        return RuleExample{source, "", fmt::format("'{}' and '{}'", first, name)};
      });
    }
    if (!used[i]) report.hit(Rule::kCategoryWithoutBoxes, [&] { return RuleExample{source, "", name}; });
  }
}

void check_boxes(const ImageRecord& image, DataReport& report, const std::string& source) {
  std::set<std::tuple<float, float, float, float, std::int32_t>> seen;
  for (const GroundTruthBox& box : image.boxes) {
    const auto here = [&] {
      return RuleExample{source, fmt::format("annotation {}", box.annotation_id),
                         fmt::format("box {:.1f} {:.1f} to {:.1f} {:.1f}, image '{}'", box.x1, box.y1, box.x2, box.y2,
                                     image.file_name)};
    };
    const float width = box.x2 - box.x1, height = box.y2 - box.y1;
    if (std::min(width, height) < 1) report.hit(Rule::kBoxBelowOnePixel, here);
    if (width >= static_cast<float>(image.width) && height >= static_cast<float>(image.height)) {
      report.hit(Rule::kBoxCoversImage, here);
    }
    if (!seen.emplace(box.x1, box.y1, box.x2, box.y2, box.class_index).second) report.hit(Rule::kBoxTwice, here);
  }
}

void check_images(const Dataset& dataset, DataReport& report, const std::string& source) {
  constexpr std::size_t kManyBoxes = 100;
  std::set<std::string_view> files;
  for (const ImageRecord& image : dataset.images) {
    const auto here = [&] {
      return RuleExample{source, fmt::format("image {}", image.id), fmt::format("'{}'", image.file_name)};
    };
    if (!files.insert(image.path).second) report.hit(Rule::kImageFileTwice, here);
    if (image.boxes.empty()) report.hit(Rule::kImageWithoutBoxes, here);
    if (image.boxes.size() > kManyBoxes) report.hit(Rule::kImageManyBoxes, here);
    const bool only_crowd = !image.boxes.empty() &&
                            std::all_of(image.boxes.begin(), image.boxes.end(), [](const auto& b) { return b.crowd; });
    if (only_crowd) report.hit(Rule::kImageOnlyCrowd, here);
    check_boxes(image, report, source);
  }
}

}  // namespace

void check_records(Dataset& dataset, DataReport& report) {
  std::int64_t boxes = 0;
  for (ImageRecord& image : dataset.images) {
    image.boxes.shrink_to_fit();
    boxes += static_cast<std::int64_t>(image.boxes.size());
  }
  report.set_boxes(boxes);
  const std::string source = report.source();
  check_categories(dataset, report, source);
  if (report.collects()) check_images(dataset, report, source);
}

}  // namespace lockstep
