// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/tensor/tensor.h"

namespace lockstep {

// Where the rows of each image begin in rois [P,5] = (image, x1, y1, x2, y2) of either real type: images + 1 entries,
// the last is P. Throws kShape when an image number is out of range or the images are not in order.
std::vector<std::int64_t> roi_begins(const Tensor& rois, std::int64_t images);

}  // namespace lockstep
