// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/input_size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lockstep {
namespace {

double percentile(std::vector<double> values, double part, double otherwise) {
  if (values.empty()) return otherwise;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

}  // namespace

InputSize choose_input_size(const Dataset& dataset) {
  constexpr std::array<int, 7> kSizes = {160, 200, 240, 320, 400, 440, 480};
  constexpr double kSmallBox = 16, kClassBox = 20, kMostAspect = 2;
  std::vector<double> edges, aspects, boxes;  // boxes as parts of the shorter edge
  std::vector<std::vector<double>> of_class(dataset.categories.size());
  for (const ImageRecord& image : dataset.images) {
    const double shorter = std::min(image.width, image.height), longer = std::max(image.width, image.height);
    edges.push_back(shorter);
    aspects.push_back(longer / shorter);
    for (const GroundTruthBox& box : image.boxes) {
      if (box.crowd) continue;
      const double area = (static_cast<double>(box.x2) - box.x1) * (static_cast<double>(box.y2) - box.y1);
      boxes.push_back(std::sqrt(area) / shorter);
      of_class[static_cast<std::size_t>(box.class_index)].push_back(boxes.back());
    }
  }
  const double own = percentile(edges, 0.5, kSizes.back());
  double least = kSmallBox / percentile(boxes, 0.1, 1);
  for (const std::vector<double>& one : of_class) least = std::max(least, kClassBox / percentile(one, 0.5, 1));
  InputSize chosen;
  for (const int size : kSizes) {
    if (chosen.min_size > 0 && size > own) break;
    chosen.min_size = size;
    if (size >= least) break;
  }
  const double aspect = std::min(percentile(aspects, 0.95, 1), kMostAspect);
  chosen.max_size = static_cast<int>(std::ceil(chosen.min_size * aspect - 1e-6));
  return chosen;
}

}  // namespace lockstep
