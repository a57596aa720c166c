// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/config/scaling.h"

namespace lockstep {

// One worker-dependent key before and after scaling, in YAML.
struct ScalingRow {
  std::string path;
  std::string reference;
  std::string scaled;
  std::string exact;  // the value before rounding
  std::string rule;   // "x 2", "/ 2, at least 1", "not scaled by detectron2"
};

// What a schedule amounts to, whatever the size of its batches.
struct ScheduleTotals {
  std::int64_t images = 0;         // seen in the whole training
  std::int64_t warmup_images = 0;  // seen while the learning rate rises
  std::int64_t checkpoints = 0;    // written, the last one included
  std::optional<double> epochs;    // when the number of training images is known
};

// Every worker-dependent key, in the order of kScaledKeys.
std::vector<ScalingRow> scaling_rows(const ScaledRecipe& recipe);

ScheduleTotals schedule_totals(const Config& config, std::optional<std::int64_t> training_images);

}  // namespace lockstep
