// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/graph/net_builder.h"
#include "lockstep/graph/parameter.h"

namespace lockstep {

// How one parameter is updated.
struct ParameterRule {
  std::string name;
  ParameterKind kind = ParameterKind::kWeight;
  bool trainable = true;
  double lr_factor = 1.0;
  double gradient_scale = 1.0;  // the ancestors double the gradient of a bias
  double weight_decay = 0.0;
};

// The rule that SOLVER.UPDATE_RULE gives each parameter.
// detectron2: as Detectron2's get_default_optimizer_params (WEIGHT_DECAY; WEIGHT_DECAY_NORM for scales and biases
// of normalisations; WEIGHT_DECAY_BIAS and BIAS_LR_FACTOR override for whatever is called bias).
// detectron: every bias has its gradient doubled and no decay; normalisation scales take WEIGHT_DECAY_NORM.
std::vector<ParameterRule> parameter_rules(const std::vector<Parameter>& parameters, const SolverConfig& solver);

// The start-up table: parameter, kind, learning-rate factor, gradient factor, decay.
std::string format_rules(const std::vector<ParameterRule>& rules);

// Appends the update of one replica to `net`: gradient scale and decay where they are not trivial (no WeightedSum
// when the decay is 0), then SGDUpdate (detectron2) or MomentumSGDUpdate (detectron). Appends to `init` the fill of
// the momentum blob "<parameter>_momentum". All names are scoped by the open scopes of both builders.
void add_parameter_update_ops(NetBuilder& net, NetBuilder& init, const ParameterRule& rule, const Shape& shape,
                              const std::string& gradient, const SolverConfig& solver);

// Appends the fills of the blobs that the updates of one device share: lr (0 until the trainer feeds it), one, and
// one blob per distinct weight decay.
void add_update_constants(NetBuilder& init, const std::vector<ParameterRule>& rules);

}  // namespace lockstep
