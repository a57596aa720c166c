// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/statistics.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lockstep/data/anchor_fit.h"
#include "lockstep/data/augment.h"
#include "lockstep/data/resize.h"

namespace lockstep {
namespace {

// Boxes that are no crowd, in pixels of the resized image.
std::vector<GroundTruthBox> resized_boxes(const ImageRecord& image, int min_size, int max_size) {
  std::vector<GroundTruthBox> boxes;
  std::copy_if(image.boxes.begin(), image.boxes.end(), std::back_inserter(boxes),
               [](const GroundTruthBox& box) { return !box.crowd; });
  const ImageSize size{image.width, image.height};
  scale_boxes(boxes, size, shortest_edge_size(size, min_size, max_size));
  std::erase_if(boxes, [](const GroundTruthBox& box) { return !(box.x2 > box.x1 && box.y2 > box.y1); });
  return boxes;
}

double size_of(const GroundTruthBox& box) {
  return std::sqrt((static_cast<double>(box.x2) - box.x1) * (static_cast<double>(box.y2) - box.y1));
}

// Counts boxes that an anchor covers.
struct Coverage {
  std::int64_t boxes = 0, covered_50 = 0, covered_70 = 0;
  void add(double iou) {
    ++boxes;
    covered_50 += iou >= 0.5 ? 1 : 0;
    covered_70 += iou >= 0.7 ? 1 : 0;
  }
  double recall_50() const { return boxes == 0 ? 0 : static_cast<double>(covered_50) / static_cast<double>(boxes); }
  double recall_70() const { return boxes == 0 ? 0 : static_cast<double>(covered_70) / static_cast<double>(boxes); }
};

void count_images(const Dataset& dataset, DataStatistics& statistics) {
  for (const ImageRecord& image : dataset.images) {
    ++(image.width > image.height ? statistics.wide : image.width < image.height ? statistics.high : statistics.square);
    std::vector<bool> seen(dataset.categories.size());
    for (const GroundTruthBox& box : image.boxes) {
      const auto index = static_cast<std::size_t>(box.class_index);
      ClassStatistics& one = statistics.classes[index];
      ++(box.crowd ? one.crowd : one.boxes);
      one.images += seen[index] ? 0 : 1;
      seen[index] = true;
    }
  }
}

}  // namespace

DataStatistics data_statistics(const Dataset& dataset, const Config& config) {
  DataStatistics statistics;
  statistics.images = static_cast<std::int64_t>(dataset.images.size());
  for (const Category& category : dataset.categories) statistics.classes.push_back({category.name});
  count_images(dataset, statistics);
  std::vector<int> edges = config.input.min_size_train;
  std::sort(edges.begin(), edges.end());
  statistics.min_size = edges.empty() ? 0 : edges[edges.size() / 2];
  statistics.max_size = config.input.max_size_train;

  std::vector<GroundTruthBox> boxes;
  for (const ImageRecord& image : dataset.images) {
    const auto resized = resized_boxes(image, statistics.min_size, statistics.max_size);
    boxes.insert(boxes.end(), resized.begin(), resized.end());
  }
  statistics.boxes = static_cast<std::int64_t>(boxes.size());
  std::vector<double> sizes;
  for (const GroundTruthBox& box : boxes) sizes.push_back(size_of(box));
  statistics.proposed_sizes = propose_anchor_sizes(sizes, config.model.rpn.in_features.size());
  std::sort(sizes.begin(), sizes.end());
  constexpr std::array<double, 5> kPercentiles = {0.05, 0.25, 0.5, 0.75, 0.95};
  for (std::size_t i = 0; i < kPercentiles.size() && !sizes.empty(); ++i) {
    statistics.box_sizes[i] = sizes[static_cast<std::size_t>(kPercentiles[i] * static_cast<double>(sizes.size() - 1))];
  }

  const std::vector<AnchorLevel> levels = anchor_levels(config);
  const std::vector<AnchorLevel> proposed = anchor_levels(config, statistics.proposed_sizes);
  Coverage all, with_proposed;
  std::vector<Coverage> by_class(dataset.categories.size());
  for (const GroundTruthBox& box : boxes) {
    const double iou = best_anchor_iou(box, levels);
    all.add(iou);
    by_class[static_cast<std::size_t>(box.class_index)].add(iou);
    with_proposed.add(best_anchor_iou(box, proposed));
  }
  statistics.recall_50 = all.recall_50(), statistics.recall_70 = all.recall_70();
  statistics.proposed_recall_50 = with_proposed.recall_50(), statistics.proposed_recall_70 = with_proposed.recall_70();
  for (std::size_t i = 0; i < by_class.size(); ++i) {
    statistics.classes[i].recall_50 = by_class[i].recall_50();
    statistics.classes[i].recall_70 = by_class[i].recall_70();
  }
  return statistics;
}

bool proposal_helps(const DataStatistics& statistics) {
  constexpr double kGain = 0.005, kLoss = 0.02;
  return statistics.proposed_recall_70 > statistics.recall_70 + kGain &&
         statistics.proposed_recall_50 > statistics.recall_50 - kLoss;
}

std::string statistics_text(const DataStatistics& statistics, const Config& config) {
  std::string text =
      fmt::format("{} images: {} wide, {} high, {} square; {} boxes in {} classes\n", statistics.images,
                  statistics.wide, statistics.high, statistics.square, statistics.boxes, statistics.classes.size());
  text += fmt::format("  {:<24} {:>8} {:>8} {:>8}   reachable at IoU 0.5 / 0.7\n", "class", "boxes", "crowd", "images");
  for (const ClassStatistics& one : statistics.classes) {
    text += fmt::format("  {:<24} {:>8} {:>8} {:>8}   {}\n", one.name, one.boxes, one.crowd, one.images,
                        one.boxes == 0 ? "-" : fmt::format("{:.3f} / {:.3f}", one.recall_50, one.recall_70));
  }
  text += fmt::format(
      "  box sizes after resizing to {} (at most {}): 5 % below {:.0f} pixels, half below {:.0f}, 5 % above {:.0f}\n",
      statistics.min_size, statistics.max_size, statistics.box_sizes[0], statistics.box_sizes[2],
      statistics.box_sizes[4]);
  text += fmt::format("  anchors {}: {:.3f} of the boxes reachable at IoU 0.5, {:.3f} at 0.7\n",
                      config.model.anchor_generator.sizes, statistics.recall_50, statistics.recall_70);
  if (proposal_helps(statistics)) {
    std::vector<std::vector<double>> lists;
    for (const double size : statistics.proposed_sizes) lists.push_back({size});
    text += fmt::format("  better: MODEL.ANCHOR_GENERATOR.SIZES '{}': {:.3f} and {:.3f}\n", lists,
                        statistics.proposed_recall_50, statistics.proposed_recall_70);
  }
  return text;
}

}  // namespace lockstep
