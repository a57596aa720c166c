// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// One class of a data set.
struct ClassStatistics {
  std::string name;
  std::int64_t boxes = 0, crowd = 0, images = 0;
  // The part of its boxes that an anchor covers with this IoU: no detector finds more by its proposals.
  double recall_50 = 0, recall_70 = 0;
};

// What decides success before training starts, with a recipe's image sizes and anchors.
struct DataStatistics {
  std::int64_t images = 0, boxes = 0;
  std::int64_t wide = 0, high = 0, square = 0;  // images
  std::vector<ClassStatistics> classes;
  // Square root of the boxes' areas after resizing, in pixels: the 5th, 25th, 50th, 75th and 95th percentile.
  std::array<double, 5> box_sizes{};
  double recall_50 = 0, recall_70 = 0;
  std::vector<double> proposed_sizes;  // one per level
  double proposed_recall_50 = 0, proposed_recall_70 = 0;
  int min_size = 0, max_size = 0;  // the resize taken: the middle one of INPUT.MIN_SIZE_TRAIN, and MAX_SIZE_TRAIN
};

DataStatistics data_statistics(const Dataset& dataset, const Config& config);

// True when the proposed sizes reach clearly more boxes with an IoU of 0.7 and hardly fewer with 0.5.
bool proposal_helps(const DataStatistics& statistics);

// For people, and as one JSON object.
std::string statistics_text(const DataStatistics& statistics, const Config& config);
std::string statistics_json(const DataStatistics& statistics);

}  // namespace lockstep
