// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "lockstep/config/config.h"
#include "lockstep/modeling/model.h"

namespace lockstep {

// One feature map of a backbone.
struct Feature {
  std::string blob;
  int channels = 0;
  int stride = 1;  // of the input image's pixels
};
using Features = std::map<std::string, Feature>;  // by name: "res2" .. "res5", "p2" .. "p6"

// A residual network (He et al. 2015) as Detectron2's build_resnet_backbone: stem, res2 .. res5, depth 18, 34, 50,
// 101 or 152. MODEL.BACKBONE.FREEZE_AT freezes the stem (1) and the first stages. Parameters are called
// "<prefix>stem.conv1.weight", "<prefix>res2.0.conv1.weight" and so on.
Features add_resnet(Model& model, const Config& config, const std::string& prefix, const std::string& image);

}  // namespace lockstep
