// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/checkpoint.h"

#include <charconv>
#include <type_traits>

#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/engine/categories_json.h"
#include "lockstep/io/safetensors.h"

namespace lockstep {
namespace {

constexpr std::string_view kFormat = "lockstep-checkpoint-1";
constexpr std::string_view kMomentum = "optimizer.momentum.";

using Metadata = std::map<std::string, std::string>;

const std::string& text_of(const Metadata& metadata, const std::string& key, const std::string& path) {
  const auto found = metadata.find(key);
  LS_CHECK(kData, found != metadata.end(), "{}: the checkpoint has no '{}' in its metadata; it is damaged", path, key);
  return found->second;
}

template <typename T>
T number_of(const Metadata& metadata, const std::string& key, const std::string& path) {
  const std::string& text = text_of(metadata, key, path);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  LS_CHECK(kData, error == std::errc{} && end == text.data() + text.size(),
           "{}: '{}' of the checkpoint's metadata is '{}', wanted a {}number; it is damaged", path, key, text,
           std::is_integral_v<T> ? "whole " : "");
  return value;
}

WeightsHeader header_of(const SafetensorsFile& file) {
  const std::string path = file.path().string();
  const Metadata& metadata = file.metadata();
  WeightsHeader header;
  const auto format = metadata.find("format");
  if (format == metadata.end() || format->second != kFormat) return header;
  header.is_checkpoint = true;
  header.info.step = number_of<std::int64_t>(metadata, "step", path);
  header.info.samples_seen = number_of<std::int64_t>(metadata, "samples_seen", path);
  header.info.workers = number_of<std::int64_t>(metadata, "workers", path);
  header.info.seed = number_of<std::uint64_t>(metadata, "seed", path);
  header.info.config_yaml = text_of(metadata, "config", path);
  header.info.categories = categories_from_json(text_of(metadata, "categories", path), path);
  header.info.numerics = {text_of(metadata, "build", path), text_of(metadata, "isa", path),
                          number_of<int>(metadata, "threads", path)};
  if (metadata.contains("ap")) header.info.ap = number_of<double>(metadata, "ap", path);
  return header;
}

}  // namespace

void save_checkpoint(const std::string& path, const CheckpointInfo& info, const NamedTensors& parameters,
                     const NamedTensors& momentum) {
  NamedTensors tensors = parameters;
  for (const auto& [name, tensor] : momentum) tensors.emplace_back(std::string(kMomentum) + name, tensor);
  Metadata metadata = {{"format", std::string(kFormat)},
                       {"step", std::to_string(info.step)},
                       {"samples_seen", std::to_string(info.samples_seen)},
                       {"workers", std::to_string(info.workers)},
                       {"seed", std::to_string(info.seed)},
                       {"config", info.config_yaml},
                       {"categories", categories_to_json(info.categories)},
                       {"build", info.numerics.build},
                       {"isa", info.numerics.isa},
                       {"threads", std::to_string(info.numerics.threads)}};
  if (info.ap) metadata["ap"] = json_number(*info.ap);
  write_safetensors(path, tensors, metadata);
}

Checkpoint load_checkpoint(const std::string& path) {
  const SafetensorsFile file(path);
  WeightsHeader header = header_of(file);
  LS_CHECK(kData, header.is_checkpoint,
           "{} is not a checkpoint of Lockstep; give a set of weights as MODEL.WEIGHTS instead", path);
  LS_CHECK(kData, file.verify(), "{}: the checkpoint has no SHA-256 in its metadata; it is damaged", path);
  Checkpoint checkpoint;
  checkpoint.info = std::move(header.info);
  for (const std::string& name : file.names()) {
    if (name.starts_with(kMomentum)) {
      checkpoint.momentum.emplace(name.substr(kMomentum.size()), file.load(name));
    } else {
      checkpoint.parameters.emplace(name, file.load(name));
    }
  }
  return checkpoint;
}

WeightsHeader read_weights_header(const std::string& path) { return header_of(SafetensorsFile(path)); }

}  // namespace lockstep
