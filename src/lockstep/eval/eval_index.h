// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/eval/coco_eval.h"

namespace lockstep {

// Boxes of one category in one image; ranges into EvalIndex's orders.
struct EvalCell {
  std::size_t category = 0;  // position in EvalIndex::categories
  std::pair<std::size_t, std::size_t> annotations;
  std::pair<std::size_t, std::size_t> detections;
};

// The checked input, grouped by category and image, both by ascending id.
struct EvalIndex {
  std::vector<EvalCategory> categories;
  std::vector<std::int64_t> image_ids;
  std::vector<std::size_t> annotations;  // positions in the ground truth, cell by cell, in the order given
  std::vector<std::size_t> detections;   // positions in the detections, cell by cell, by score, ties in the order given
  std::vector<EvalCell> cells;           // those that hold anything, by category, then image
};

// Throws kData as evaluate_boxes documents.
EvalIndex index_for_eval(const EvalGroundTruth& truth, const std::vector<Detection>& detections);

}  // namespace lockstep
