// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/weights.h"

#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/io/digest.h"
#include "lockstep/io/safetensors.h"
#include "output.h"
#include "trained_model.h"

namespace lockstep::app {
namespace {

struct InspectArguments {
  bool digest = false;
  bool json = false;
};

bool is_parameter(const std::string& name) { return !name.starts_with("optimizer."); }

std::string parameter_digest(const SafetensorsFile& file) {
  std::vector<std::pair<std::string, Tensor>> parameters;
  for (const std::string& name : file.names()) {
    if (is_parameter(name)) parameters.emplace_back(name, file.load(name));
  }
  std::vector<std::pair<std::string, const Tensor*>> pointers;
  for (const auto& [name, tensor] : parameters) pointers.emplace_back(name, &tensor);
  return digest(std::move(pointers));
}

std::string table(const SafetensorsFile& file, const WeightsHeader& header) {
  std::string text;
  std::int64_t tensors = 0, values = 0;
  for (const SafetensorsEntry& entry : file.entries()) {
    text += fmt::format("{:<5} {:<18} {}\n", entry.dtype, to_string(entry.shape), entry.name);
    if (!is_parameter(entry.name)) continue;
    ++tensors;
    values += element_count(entry.shape);
  }
  text += fmt::format("{} parameters with {} values, {} other tensors\n", tensors, values,
                      file.entries().size() - static_cast<std::size_t>(tensors));
  if (header.is_checkpoint) {
    const CheckpointInfo& info = header.info;
    text += fmt::format("checkpoint after step {} ({} images), seed {}, {} workers\n", info.step, info.samples_seen,
                        info.seed, info.workers);
    text +=
        fmt::format("numerics: {}, {}, {} threads\n", info.numerics.build, info.numerics.isa, info.numerics.threads);
    text += fmt::format("categories: {}\n", fmt::join(category_names(info.categories), ", "));
  }
  return text;
}

std::string json(const SafetensorsFile& file, const WeightsHeader& header, const std::string& digest) {
  std::string tensors;
  for (const SafetensorsEntry& entry : file.entries()) {
    tensors += fmt::format("{}{{\"name\": {}, \"dtype\": {}, \"shape\": [{}]}}", tensors.empty() ? "" : ", ",
                           json_quote(entry.name), json_quote(entry.dtype), fmt::join(entry.shape, ", "));
  }
  std::string text = fmt::format("{{\"file\": {}, \"tensors\": [{}]", json_quote(file.path().string()), tensors);
  if (!digest.empty()) text += fmt::format(", \"digest\": \"{}\"", digest);
  if (header.is_checkpoint) text += fmt::format(", \"step\": {}, \"seed\": {}", header.info.step, header.info.seed);
  return text + "}\n";
}

int inspect(const InspectArguments& arguments, const CLI::App& command) {
  const std::vector<std::string> words = free_arguments(command);
  LS_CHECK(kConfig, words.size() == 1, "lockstep weights inspect wants one file or run directory, got {}",
           words.size());
  const std::string path = weights_path(words[0]);
  const SafetensorsFile file(path);
  file.verify();
  const std::string digest = arguments.digest ? parameter_digest(file) : "";
  if (arguments.json) {
    print(json(file, read_weights_header(path), digest));
  } else {
    print(arguments.digest ? digest + "\n" : table(file, read_weights_header(path)));
  }
  return 0;
}

}  // namespace

void add_weights_command(CLI::App& app, Program& program) {
  CLI::App& weights = add_command(app, {"weights", "Look into weights files", "weights inspect FILE|RUN_DIR [--digest]",
                                        "lockstep weights inspect run/first --digest"});
  weights.require_subcommand(0, 1);
  const auto arguments = std::make_shared<InspectArguments>();
  CLI::App& command = add_command(weights, {"inspect", "List tensors and what else the file tells, or print a digest",
                                            "weights inspect FILE|RUN_DIR [--digest]",
                                            "lockstep weights inspect run/first/model_final.safetensors --digest"});
  command.add_flag("--digest", arguments->digest, "only the SHA-256 over all model parameters");
  add_json_flag(command, arguments->json);
  weights.callback([&] {
    if (!command.parsed()) {
      program.action = [&]() -> int {
        LS_THROW(kConfig, "lockstep weights: wanted inspect; see lockstep weights --help");
      };
    }
  });
  command.callback([&, arguments] { program.action = [&, arguments] { return inspect(*arguments, command); }; });
}

}  // namespace lockstep::app
