// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lockstep/data/dataset.h"

namespace lockstep {

struct RepeatOptions {
  double threshold = 0;     // DATALOADER.REPEAT_THRESHOLD: part of the images
  bool square_root = true;  // DATALOADER.REPEAT_SQRT
};

// How often each image is used in an epoch, as Detectron2's RepeatFactorTrainingSampler has it (the rule of the LVIS
// paper): a category in the part f of the images has the factor max(1, sqrt(threshold / f)), or max(1, threshold / f)
// without the square root, and an image the largest factor of its categories; 1 without any. Crowd boxes count too.
std::vector<double> repeat_factors(const Dataset& dataset, const RepeatOptions& options);

}  // namespace lockstep
