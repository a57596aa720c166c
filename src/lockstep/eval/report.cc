// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lockstep/base/json_text.h"

namespace lockstep {
namespace {

std::string shown(double value) { return value < 0 ? "n/a (0 GT)" : fmt::format("{:.3f}", value); }
std::string exact(double value) { return value < 0 ? "null" : json_number(value); }

// The limits as side lengths, which is how people remember them: 32^2, 96^2.
std::string side(double area) { return fmt::format("{:g}^2", std::sqrt(area)); }

std::string summary_line(const CocoStats& stats, std::size_t line) {
  constexpr std::array<std::string_view, 12> kIou = {"0.50:0.95", "0.50",      "0.75",      "0.50:0.95",
                                                     "0.50:0.95", "0.50:0.95", "0.50:0.95", "0.50:0.95",
                                                     "0.50:0.95", "0.50:0.95", "0.50:0.95", "0.50:0.95"};
  constexpr std::array<std::string_view, 12> kArea = {"all", "all", "all", "small", "medium", "large",
                                                      "all", "all", "all", "small", "medium", "large"};
  const auto& limits = stats.options.max_detections;
  const int limit = line == 6 ? limits[0] : line == 7 ? limits[1] : limits[2];
  return fmt::format(" Average {:<9} {} @[ IoU={:<9} | area={:>6} | maxDets={:>3} ] = {}\n",
                     line < 6 ? "Precision" : "Recall", line < 6 ? "(AP)" : "(AR)", kIou[line], kArea[line], limit,
                     shown(stats.values[line]));
}

std::string category_table(const CocoStats& stats) {
  std::size_t width = 8;
  for (const CategoryStats& category : stats.categories) width = std::max(width, category.name.size());
  std::string text = fmt::format("\n {:<{}}  {:>10}  {:>10}  {:>7}  {:>6}  {:>10}\n", "category", width, "AP", "AP50",
                                 "boxes", "crowds", "detections");
  for (const CategoryStats& category : stats.categories) {
    text += fmt::format(" {:<{}}  {:>10}  {:>10}  {:>7}  {:>6}  {:>10}\n", category.name, width, shown(category.ap),
                        shown(category.ap50), category.ground_truths, category.crowds, category.detections);
  }
  return text;
}

}  // namespace

const std::array<std::string_view, 12>& coco_stat_names() {
  static constexpr std::array<std::string_view, 12> kNames = {"AP",  "AP50", "AP75",  "APs", "APm", "APl",
                                                              "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"};
  return kNames;
}

std::string coco_table(const CocoStats& stats) {
  std::string text;
  for (std::size_t line = 0; line < stats.values.size(); ++line) text += summary_line(stats, line);
  text += category_table(stats);
  text += fmt::format("\n {} images, {} boxes, {} detections; small is up to {}, large from {} pixels\n", stats.images,
                      stats.ground_truths, stats.detections, side(stats.options.small_area),
                      side(stats.options.medium_area));
  const auto with_truth = std::count_if(stats.categories.begin(), stats.categories.end(),
                                        [](const CategoryStats& category) { return category.ground_truths > 0; });
  const auto all = static_cast<std::ptrdiff_t>(stats.categories.size());
  if (with_truth == 0) {
    text += fmt::format(" no ground truth: AP is undefined; all {} detections are false positives\n", stats.detections);
  } else if (with_truth < all) {
    text += fmt::format(" means are over the {} of {} categories that have ground truth\n", with_truth, all);
  }
  if (stats.images_over_limit > 0) {
    text += fmt::format(" images with more than {} boxes of one category: {}; there recall 1 cannot be reached\n",
                        stats.options.max_detections.back(), stats.images_over_limit);
  }
  return text;
}

std::string coco_stats_json(const CocoStats& stats) {
  std::string text = "{";
  for (std::size_t i = 0; i < stats.values.size(); ++i) {
    text += fmt::format("\"{}\":{},", coco_stat_names()[i], exact(stats.values[i]));
  }
  text += fmt::format("\"images\":{},\"boxes\":{},\"detections\":{},\"categories\":[", stats.images,
                      stats.ground_truths, stats.detections);
  for (const CategoryStats& category : stats.categories) {
    if (text.back() != '[') text += ',';
    text += fmt::format("{{\"id\":{},\"name\":{},\"AP\":{},\"AP50\":{},\"boxes\":{},\"crowds\":{},\"detections\":{}}}",
                        category.id, json_quote(category.name), exact(category.ap), exact(category.ap50),
                        category.ground_truths, category.crowds, category.detections);
  }
  return text + "]}";
}

}  // namespace lockstep
