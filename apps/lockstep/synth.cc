// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/synth.h"

#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "output.h"

namespace lockstep::app {
namespace {

struct SynthArguments {
  int images = 200;
  std::int64_t seed = 3;
  bool json = false;
};

int run(const SynthArguments& arguments, const CLI::App& command) {
  const std::vector<std::string> words = free_arguments(command);
  LS_CHECK(kConfig, words.size() == 1, "lockstep synth wants one folder, got {}; as in: lockstep synth run/shapes",
           words.size());
  LS_CHECK(kConfig, arguments.seed >= 0, "--seed is {}; wanted 0 or more", arguments.seed);
  const SynthSummary summary =
      write_synthetic_dataset(words[0], arguments.images, static_cast<std::uint64_t>(arguments.seed));
  const char* form =
      arguments.json ? "{{\"dir\": {}, \"train_images\": {}, \"val_images\": {}, \"boxes\": {}, "
                       "\"crowd_regions\": {}, \"empty_images\": {}}}\n"
                     : "{}: {} training images, {} validation images, {} boxes, {} crowd regions, {} empty images\n";
  print(fmt::format(fmt::runtime(form), arguments.json ? json_quote(words[0]) : words[0], summary.train_images,
                    summary.val_images, summary.boxes, summary.crowd_regions, summary.empty_images));
  return 0;
}

}  // namespace

void add_synth_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<SynthArguments>();
  CLI::App& command =
      add_command(app, {"synth", "Write a small COCO data set of shapes on textured backgrounds",
                        "synth DIR [--images N] [--seed S]", "lockstep synth run/shapes --images 200 --seed 1"});
  command.add_option("--images", arguments->images, "number of images (200); every fifth is for validation");
  command.add_option("--seed", arguments->seed, "the same seed gives the same files (3)");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] { program.action = [&, arguments] { return run(*arguments, command); }; });
}

}  // namespace lockstep::app
