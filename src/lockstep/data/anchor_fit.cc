// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/anchor_fit.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

double stride_of(const std::string& feature) {
  const bool known = feature.size() >= 2 && std::isdigit(static_cast<unsigned char>(feature.back())) != 0;
  LS_CHECK(kConfig, known, "MODEL.RPN.IN_FEATURES names '{}'; wanted levels such as p2 or res4", feature);
  return std::exp2(feature.back() - '0');
}

const std::vector<double>& of_level(const std::vector<std::vector<double>>& lists, std::size_t level, const char* key) {
  LS_CHECK(kConfig, !lists.empty() && (lists.size() == 1 || level < lists.size()),
           "MODEL.ANCHOR_GENERATOR.{} has {} lists; wanted one, or one per level of MODEL.RPN.IN_FEATURES", key,
           lists.size());
  return lists.size() == 1 ? lists[0] : lists[level];
}

std::vector<AnchorLevel> make_levels(const Config& config, const std::vector<std::vector<double>>& sizes) {
  std::vector<AnchorLevel> levels;
  const AnchorGeneratorConfig& anchors = config.model.anchor_generator;
  const std::vector<std::string>& features = config.model.rpn.in_features;
  for (std::size_t i = 0; i < features.size(); ++i) {
    AnchorLevel& level = levels.emplace_back();
    level.stride = stride_of(features[i]);
    level.offset = anchors.offset;
    for (const double size : of_level(sizes, i, "SIZES")) {
      for (const double ratio : of_level(anchors.aspect_ratios, i, "ASPECT_RATIOS")) {
        const double width = size / std::sqrt(ratio);
        level.shapes.push_back({width, ratio * width});
      }
    }
  }
  return levels;
}

// How much two intervals of these lengths share when their centers are `distance` apart.
double overlap(double a, double b, double distance) { return std::clamp((a + b) / 2 - distance, 0.0, std::min(a, b)); }

// From the nearest cell center to `center`; cells start at 0.
double grid_distance(double center, const AnchorLevel& level) {
  const double cell = std::max(0.0, std::round(center / level.stride - level.offset));
  return std::fabs(center - (cell + level.offset) * level.stride);
}

}  // namespace

std::vector<AnchorLevel> anchor_levels(const Config& config) {
  return make_levels(config, config.model.anchor_generator.sizes);
}

std::vector<AnchorLevel> anchor_levels(const Config& config, const std::vector<double>& sizes) {
  std::vector<std::vector<double>> lists;
  for (const double size : sizes) lists.push_back({size});
  return make_levels(config, lists);
}

double best_anchor_iou(const GroundTruthBox& box, const std::vector<AnchorLevel>& levels) {
  const double width = static_cast<double>(box.x2) - box.x1, height = static_cast<double>(box.y2) - box.y1;
  double best = 0;
  for (const AnchorLevel& level : levels) {
    const double dx = grid_distance(box.x1 + width / 2, level), dy = grid_distance(box.y1 + height / 2, level);
    for (const AnchorLevel::Shape& shape : level.shapes) {
      const double shared = overlap(width, shape.width, dx) * overlap(height, shape.height, dy);
      best = std::max(best, shared / (width * height + shape.width * shape.height - shared));
    }
  }
  return best;
}

std::vector<double> propose_anchor_sizes(std::vector<double> box_sizes, std::size_t levels) {
  std::erase_if(box_sizes, [](double size) { return !(size > 0); });
  if (box_sizes.empty() || levels == 0) return {};
  std::sort(box_sizes.begin(), box_sizes.end());
  for (double& size : box_sizes) size = std::log2(size);
  std::vector<double> centers;
  for (std::size_t k = 0; k < levels; ++k) {  // the start: equal parts of the boxes
    centers.push_back(box_sizes[(2 * k + 1) * box_sizes.size() / (2 * levels)]);
  }
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> sum(levels, 0), count(levels, 0);
    std::size_t k = 0;
    for (const double size : box_sizes) {  // sorted, so that the nearest center only moves up
      while (k + 1 < levels && std::fabs(size - centers[k + 1]) < std::fabs(size - centers[k])) ++k;
      sum[k] += size;
      count[k] += 1;
    }
    for (std::size_t i = 0; i < levels; ++i) centers[i] = count[i] > 0 ? sum[i] / count[i] : centers[i];
    std::sort(centers.begin(), centers.end());
  }
  constexpr double kApart = 1.2;
  std::vector<double> sizes;
  for (const double center : centers) {
    const double least = sizes.empty() ? 1 : std::ceil(sizes.back() * kApart);
    sizes.push_back(std::max(least, std::round(std::exp2(center))));
  }
  return sizes;
}

}  // namespace lockstep
