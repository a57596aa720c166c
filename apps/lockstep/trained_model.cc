// SPDX-License-Identifier: Apache-2.0
#include "trained_model.h"

#include <filesystem>

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"
#include "lockstep/config/load.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/engine/classes.h"
#include "lockstep/engine/run_directory.h"
#include "lockstep/io/safetensors.h"
#include "recipes.h"
#include "remarks.h"

namespace lockstep::app {

std::map<std::string, const Tensor*> TrainedModel::parameter_pointers() const {
  std::map<std::string, const Tensor*> pointers;
  for (const auto& [name, tensor] : parameters) pointers[name] = &tensor;
  return pointers;
}

std::string weights_path(const std::string& file_or_run) {
  if (!std::filesystem::is_directory(file_or_run)) return file_or_run;
  const RunDirectory run(file_or_run);
  const std::string final_weights = run.file("model_final.safetensors");
  if (std::filesystem::exists(final_weights)) return final_weights;
  const auto last = run.last_checkpoint();
  LS_CHECK(kConfig, last.has_value(), "{} holds neither model_final.safetensors nor a checkpoint; train there first",
           file_or_run);
  return *last;
}

TrainedModel load_model(const std::string& file_or_run, const std::string& recipe,
                        const std::vector<std::string>& overrides) {
  TrainedModel model;
  model.path = weights_path(file_or_run);
  const WeightsHeader header = read_weights_header(model.path);
  if (!recipe.empty()) {
    model.config = load_recipe(recipe, overrides);
  } else {
    LS_CHECK(kConfig, header.is_checkpoint, "{} holds no recipe; name one by --config-file", model.path);
    model.config = config_from_yaml(header.info.config_yaml, model.path + " (its recipe)");
    apply_overrides(model.config, overrides);
    log_notices("recipe", model.config);
  }
  if (header.is_checkpoint) {
    model.categories = header.info.categories;
    set_classes(model.config, model.categories);
  }
  const SafetensorsFile file(model.path);
  file.verify();
  for (const std::string& name : file.names()) {
    if (!name.starts_with("optimizer.")) model.parameters.emplace(name, file.load(name));
  }
  log_info("model", "weights {} ({} tensors)", model.path, model.parameters.size());
  return model;
}

}  // namespace lockstep::app
