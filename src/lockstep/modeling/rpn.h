// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/config/config.h"
#include "lockstep/modeling/batch.h"
#include "lockstep/modeling/resnet.h"

namespace lockstep {

// The region proposal network (Ren et al. 2015) as Detectron2's RPN with StandardRPNHead: proposals for the box
// head, and in training its two losses, loss_rpn_cls and loss_rpn_loc, each multiplied by `loss_scale`.
// Returns the blob of proposals, rois [P,5].
std::string add_rpn(Model& model, const Config& config, const Features& features, const Batch& batch, double loss_scale,
                    Losses& losses);

}  // namespace lockstep
