// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>

#include "bench.h"
#include "bench_setup.h"
#include "lockstep/base/check.h"
#include "lockstep/data/roi_data_loader.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/engine/data_parallel.h"
#include "output.h"
#include "recipes.h"

namespace lockstep::app {
namespace {

struct LoaderArguments {
  std::string recipe;
  int images = 400;
  bool json = false;
};

int run(const LoaderArguments& arguments, const std::vector<std::string>& overrides) {
  LS_CHECK(kConfig, arguments.images >= 1, "--images is {}; wanted at least 1", arguments.images);
  Config config = load_recipe(arguments.recipe, overrides);
  const auto data = open_training_data(config);
  const int micro_batches = micro_batches_per_step(config.solver);
  LoaderOptions options = loader_options(config);
  options.workers = {{0, micro_batches}};
  RoIDataLoader loader([&](std::int64_t step, std::int64_t index) { return data->build(step, index); },
                       minibatch_fields(), options);

  const auto start = std::chrono::steady_clock::now();
  loader.start(0, Prefill::kOne);
  std::int64_t images = 0;
  while (images < arguments.images) {
    if (!loader.queue(0)->pop()) {
      loader.rethrow_if_failed();
      LS_THROW(kInternal, "the loader stopped after {} images", images);
    }
    images += config.solver.ims_per_micro_batch;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  loader.shutdown();
  const double pace = static_cast<double>(images) / seconds;
  print(arguments.json
            ? fmt::format("{{\"images\": {}, \"seconds\": {:.4f}, \"images_per_second\": {:.2f}, \"threads\": {}}}\n",
                          images, seconds, pace, options.threads)
            : fmt::format("{} images in {:.2f} s with {} loader threads: {:.1f} images/s\n", images, seconds,
                          options.threads, pace));
  return 0;
}

}  // namespace

void add_bench_loader_command(CLI::App& bench, Program& program) {
  const auto arguments = std::make_shared<LoaderArguments>();
  CLI::App& command = add_command(
      bench, {"loader", "Images per second of the loader alone",
              "bench loader --config-file F|@NAME [--images N] [KEY VALUE ...]",
              "lockstep bench loader --config-file @demo DATASETS.TRAIN run/shapes DATALOADER.NUM_WORKERS 2"});
  command.add_option("--config-file", arguments->recipe,
                     "the recipe: a file, or @NAME for one shipped with the program");
  command.add_option("--images", arguments->images, "images to load (400)");
  add_json_flag(command, arguments->json);
  command.callback(
      [&, arguments] { program.action = [&, arguments] { return run(*arguments, free_arguments(command)); }; });
}

}  // namespace lockstep::app
