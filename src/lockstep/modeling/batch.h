// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lockstep/modeling/model.h"

namespace lockstep {

// The blobs of one micro-batch, as the data loader delivers them (data/minibatch.h gives shapes and meaning).
struct Batch {
  std::string data, im_info, gt_boxes, gt_classes, gt_crowd, gt_counts, sample_ids;
};
Batch batch_blobs(const Model& model);

// The losses of one replica in the order in which they were added: unscoped name and blob.
using Losses = std::vector<std::pair<std::string, std::string>>;

}  // namespace lockstep
