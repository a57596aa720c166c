// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/modeling/resnet.h"

namespace lockstep {

// The feature pyramid of Lin et al. 2017 on a ResNet, as Detectron2's build_resnet_fpn_backbone: p2 .. p5 from
// MODEL.FPN.IN_FEATURES, and p6 = every second pixel of p5. Parameters are called "backbone.fpn_lateral2.weight",
// "backbone.fpn_output2.weight", "backbone.bottom_up.res2.0.conv1.weight" and so on.
Features add_resnet_fpn(Model& model, const Config& config, const std::string& image);

}  // namespace lockstep
