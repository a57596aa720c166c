// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/engine/worker_group.h"
#include "lockstep/graph/parameter.h"

namespace lockstep {

// Gives all workers the tensors of a safetensors file (MODEL.WEIGHTS) that the model has under the same name and
// shape, and accounts for every tensor: loaded, missing, unused, of another shape. Returns that report. kData when
// nothing at all fits.
std::string load_initial_weights(const std::string& weights, const std::vector<Parameter>& parameters,
                                 WorkerGroup& workers);

// Gives all workers the parameters and momentum of a checkpoint; every one must be there with its shape (kData).
void restore_parameters(const Checkpoint& checkpoint, const std::string& path, const std::vector<Parameter>& parameters,
                        WorkerGroup& workers);

// kConfig for a network with frozen batch normalisation and no weights: it cannot train.
void check_trains_without_weights(const Config& config);

}  // namespace lockstep
