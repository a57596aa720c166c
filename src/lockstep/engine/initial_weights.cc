// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/initial_weights.h"

#include <cstdlib>
#include <filesystem>

#include "lockstep/base/check.h"
#include "lockstep/io/weights.h"

namespace lockstep {
namespace {

// A zoo name such as detectron2://ImageNetPretrained/MSRA/R-50.pkl is looked up under $LOCKSTEP_WEIGHTS.
std::string resolve(const std::string& weights) {
  const std::size_t scheme = weights.find("://");
  if (scheme == std::string::npos) return weights;
  const std::string name = std::filesystem::path(weights.substr(scheme + 3)).replace_extension(".safetensors").string();
  const char* folder = std::getenv("LOCKSTEP_WEIGHTS");
  LS_CHECK(kConfig, folder != nullptr,
           "MODEL.WEIGHTS is {}; set LOCKSTEP_WEIGHTS to the folder with your weights and put the file there as {}",
           weights, name);
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  LS_CHECK(kConfig, std::filesystem::exists(path), "MODEL.WEIGHTS is {}; put the file there as {}", weights,
           path.string());
  return path.string();
}

}  // namespace

std::string load_initial_weights(const std::string& weights, const std::vector<Parameter>& parameters,
                                 WorkerGroup& workers) {
  const SafetensorsFile file(resolve(weights));
  file.verify();
  std::vector<WantedTensor> wanted;
  for (const Parameter& parameter : parameters) wanted.push_back({parameter.name, parameter.shape});
  const WeightMatch match = match_weights(file, wanted);
  LS_CHECK(kData, !match.loaded.empty(), "MODEL.WEIGHTS {} has no tensor that the model could use\n{}", weights,
           match.text());
  for (const std::string& name : match.loaded) workers.set_parameter(name, file.load(name));
  return match.text();
}

void restore_parameters(const Checkpoint& checkpoint, const std::string& path, const std::vector<Parameter>& parameters,
                        WorkerGroup& workers) {
  const auto restore = [&](const std::map<std::string, Tensor>& tensors, const std::string& name,
                           const std::string& blob, const char* kind) {
    const auto found = tensors.find(name);
    LS_CHECK(kData, found != tensors.end(), "{} has no {} of '{}', so the run cannot go on from it", path, kind, name);
    try {
      workers.set_parameter(blob, found->second);
    } catch (Error& error) {
      error.add_note("while reading " + path);
      throw;
    }
  };
  for (const Parameter& parameter : parameters) {
    restore(checkpoint.parameters, parameter.name, parameter.name, "value");
    const std::string momentum = parameter.name + "_momentum";
    if (workers.has_blob(momentum)) restore(checkpoint.momentum, parameter.name, momentum, "momentum");
  }
}

void check_trains_without_weights(const Config& config) {
  LS_CHECK(kConfig, config.model.resnets.norm != "FrozenBN",
           "MODEL.RESNETS.NORM is FrozenBN and MODEL.WEIGHTS is empty: frozen normalisation cannot train from random "
           "weights; give MODEL.WEIGHTS, or set MODEL.RESNETS.NORM GN");
}

}  // namespace lockstep
