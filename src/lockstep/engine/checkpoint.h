// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/data/dataset.h"
#include "lockstep/engine/numerics.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// A checkpoint is one safetensors file. Model parameters stand under their own names, momentum under
// "optimizer.momentum.<parameter>"; the metadata holds everything else. A file without momentum is a set of weights.
struct CheckpointInfo {
  std::int64_t step = 0;  // finished steps
  std::int64_t samples_seen = 0;
  std::int64_t workers = 1;
  std::uint64_t seed = 3;
  std::string config_yaml;  // merged, before scaling
  std::vector<Category> categories;
  Numerics numerics;
  std::optional<double> ap;  // on the test data; only in model_best.safetensors
};

struct Checkpoint {
  CheckpointInfo info;
  std::map<std::string, Tensor> parameters;
  std::map<std::string, Tensor> momentum;  // by parameter
};

using NamedTensors = std::vector<std::pair<std::string, const Tensor*>>;

// Writes the file as a whole: after a failure (kIo) an older file of that name is intact.
void save_checkpoint(const std::string& path, const CheckpointInfo& info, const NamedTensors& parameters,
                     const NamedTensors& momentum);

// kIo when it cannot be read, kData when it is damaged or was not written by save_checkpoint.
Checkpoint load_checkpoint(const std::string& path);

// The metadata alone; `is_checkpoint` false when the file is a plain set of weights (then the info is empty).
struct WeightsHeader {
  bool is_checkpoint = false;
  CheckpointInfo info;
};
WeightsHeader read_weights_header(const std::string& path);

}  // namespace lockstep
