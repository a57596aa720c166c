// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/config/config.h"
#include "lockstep/modeling/batch.h"
#include "lockstep/modeling/resnet.h"

namespace lockstep {

// The blobs with the detections of a test net, best first within an image.
struct Detections {
  std::string boxes;        // [D,4] in pixels of the network's input
  std::string scores;       // [D]
  std::string classes;      // i32[D]
  std::string image_index;  // i32[D], position in the micro-batch
};

// Detectron2's StandardROIHeads with FastRCNNConvFCHead (Girshick 2015, Lin et al. 2017).
// Training: samples RoIs and adds loss_cls and loss_box_reg, each multiplied by `loss_scale`.
void add_box_head_losses(Model& model, const Config& config, const Features& features, const std::string& proposals,
                         const Batch& batch, double loss_scale, Losses& losses);
// Test: detections from all proposals.
Detections add_box_head_detections(Model& model, const Config& config, const Features& features,
                                   const std::string& proposals, const Batch& batch);

}  // namespace lockstep
