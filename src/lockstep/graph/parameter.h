// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/tensor/shape.h"

namespace lockstep {

// What a parameter is decides its weight decay and learning-rate factor.
enum class ParameterKind {
  kWeight,
  kBias,
  kNormScale,  // gamma of a normalisation
  kNormBias,   // beta of a normalisation
  kBuffer,     // a constant of the model that training never changes, such as a running mean
};

// One parameter of the model; every worker has a replica under its own scope.
struct Parameter {
  std::string name;  // without scope: "backbone.fpn_lateral2.weight"
  Shape shape;
  ParameterKind kind = ParameterKind::kWeight;
  bool trainable = true;
};

}  // namespace lockstep
