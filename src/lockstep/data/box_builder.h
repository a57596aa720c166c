// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "lockstep/data/data_report.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// A box as an annotation file states it, in pixels of its image.
struct StatedBox {
  double x, y, width, height;
  std::int32_t class_index;
  bool crowd;
  double area;
  std::int64_t annotation_id;
};

// The box clipped to its image; nothing for boxes without size and those outside. The rules of boxes go to `report`;
// `describe()` says where the box stands, and its detail gets the box and the image.
std::optional<GroundTruthBox> clipped_box(const StatedBox& box, const ImageRecord& image, DataReport& report,
                                          const std::function<RuleExample()>& describe);

// Adds the clipped box to its image.
void add_stated_box(const StatedBox& box, ImageRecord& image, DataReport& report,
                    const std::function<RuleExample()>& describe);

}  // namespace lockstep
