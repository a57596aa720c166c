// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/modeling/model.h"

namespace lockstep {

// Which normalisation follows a convolution, as Detectron2's get_norm: "" (none), "GN" or "FrozenBN".
struct Norm {
  std::string type;
  int groups = 32;  // of GN
};

// A convolution with an optional normalisation and ReLU, as Detectron2's Conv2d wrapper.
struct ConvLayer {
  std::string name;  // of its parameters: "<name>.weight", "<name>.bias" or "<name>.norm.*"
  int in_channels = 0;
  int out_channels = 0;
  int kernel = 1;
  int stride = 1;
  int padding = 0;
  int groups = 1;
  Norm norm = {};
  bool relu = false;
  bool trainable = true;
  Filler filler = msra_filler();
};

// Adds the layer to the model and returns its output blob. `output` names the blob (unscoped); the layer's name
// by default, so a layer that is applied several times needs one each.
// `declare` is false when the parameters were declared by an earlier application of the same layer.
std::string add_conv(Model& model, const ConvLayer& layer, const std::string& input, const std::string& output = "",
                     bool declare = true);

// A fully connected layer with bias: input [M, in] (more axes are flattened) to [M, out].
struct FullyConnectedLayer {
  std::string name;
  std::int64_t in_features = 0;
  std::int64_t out_features = 0;
  bool relu = false;
  Filler filler = xavier_filler();
};
std::string add_fully_connected(Model& model, const FullyConnectedLayer& layer, const std::string& input);

}  // namespace lockstep
