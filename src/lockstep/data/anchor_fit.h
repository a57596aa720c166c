// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// The anchors of one level of the pyramid: every shape stands at every cell.
struct AnchorLevel {
  double stride = 0;  // pixels of the network's input
  double offset = 0;  // of a cell's center, in strides
  struct Shape {
    double width, height;
  };
  std::vector<Shape> shapes;
};

// The levels of a recipe (MODEL.RPN.IN_FEATURES with MODEL.ANCHOR_GENERATOR); level pK and resK have stride 2^K.
std::vector<AnchorLevel> anchor_levels(const Config& config);
// The same with one size per level.
std::vector<AnchorLevel> anchor_levels(const Config& config, const std::vector<double>& sizes);

// The IoU of the box with the best anchor: 1 - it is what regression has to bridge. The image is taken to be large
// enough to hold the anchor's cell.
double best_anchor_iou(const GroundTruthBox& box, const std::vector<AnchorLevel>& levels);

// One anchor size per level for these box sizes (square root of the area, pixels of the network's input): the centers
// of k-means over their logarithms, ascending and at least 1.2 apart, whole pixels. Empty without boxes.
std::vector<double> propose_anchor_sizes(std::vector<double> box_sizes, std::size_t levels);

}  // namespace lockstep
