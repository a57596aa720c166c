// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/config/config.h"
#include "lockstep/modeling/batch.h"
#include "lockstep/modeling/box_head.h"

namespace lockstep {

// Faster R-CNN with FPN (META_ARCHITECTURE GeneralizedRCNN), one replica under the scopes that are open.
// Training: adds the losses, each multiplied by `loss_scale`, and returns them.
Losses add_generalized_rcnn_training(Model& model, const Config& config, double loss_scale);
// Test: adds the detections and returns their blobs.
Detections add_generalized_rcnn_test(Model& model, const Config& config);

}  // namespace lockstep
