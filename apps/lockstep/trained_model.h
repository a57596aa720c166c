// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep::app {

// A model as a weights file holds it.
struct TrainedModel {
  std::string path;
  Config config;
  std::vector<Category> categories;  // empty for weights without metadata
  std::map<std::string, Tensor> parameters;

  std::map<std::string, const Tensor*> parameter_pointers() const;
};

// The weights file that is meant: the file itself, or of a run directory model_final.safetensors, else the last
// checkpoint. kConfig when the directory has neither.
std::string weights_path(const std::string& file_or_run);

// Reads parameters, recipe and categories; the momentum of a checkpoint is left out. With `recipe`, the config comes
// from there and not from the file; kConfig when neither has one.
TrainedModel load_model(const std::string& file_or_run, const std::string& recipe,
                        const std::vector<std::string>& overrides);

}  // namespace lockstep::app
