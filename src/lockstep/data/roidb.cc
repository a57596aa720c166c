// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/roidb.h"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/base/log.h"
#include "lockstep/data/data_spec.h"

namespace lockstep {
namespace {

// Each image and its flipped copies.
std::size_t copies(const std::string& random_flip) {
  if (random_flip == "none") return 1;
  return random_flip == "both" ? 4 : 2;
}

}  // namespace

Roidb combined_roidb_for_training(const Config& config, bool look_for_files) {
  Roidb roidb{load_dataset(config.datasets.train, config.datasets.catalog, DataSplit::kTrain)};
  Dataset& dataset = roidb.dataset;
  if (look_for_files) check_images_exist(dataset);
  roidb.images_read = dataset.images.size();
  std::size_t boxes = 0, crowds = 0;
  for (const ImageRecord& image : dataset.images) {
    boxes += image.boxes.size();
    crowds += static_cast<std::size_t>(
        std::count_if(image.boxes.begin(), image.boxes.end(), [](const GroundTruthBox& box) { return box.crowd; }));
  }
  const std::size_t flipped = copies(config.input.random_flip);
  std::string line = fmt::format("roidb of '{}': {} images with {} boxes ({} crowd) read", dataset.name,
                                 roidb.images_read, boxes, crowds);
  if (flipped > 1) line += fmt::format(", {} entries with flipped copies", flipped * roidb.images_read);
  const bool filter = config.dataloader.filter_empty_annotations;
  const FilteredImages dropped = filter ? filter_images_without_boxes(dataset) : count_images_without_boxes(dataset);
  const std::size_t without = dropped.without_boxes + dropped.only_crowd;
  if (filter) {
    line += fmt::format("; Filtered {} roidb entries: {} -> {}", flipped * without, flipped * roidb.images_read,
                        flipped * dataset.images.size());
  } else {
    line += fmt::format("; none filtered (DATALOADER.FILTER_EMPTY_ANNOTATIONS is False), {} train as background",
                        flipped * without);
  }
  if (without > 0) {
    line += fmt::format(" ({} without boxes, {} with crowd boxes only)", flipped * dropped.without_boxes,
                        flipped * dropped.only_crowd);
  }
  log_info("data", "{}", line);
  return roidb;
}

}  // namespace lockstep
