// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "drawings.h"
#include "lockstep/base/check.h"
#include "lockstep/base/log.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/synth.h"
#include "lockstep/engine/detector.h"
#include "lockstep/engine/run_directory.h"
#include "lockstep/io/atomic_file.h"
#include "output.h"
#include "recipes.h"
#include "trained_model.h"
#include "training.h"

namespace lockstep::app {
namespace {
namespace fs = std::filesystem;

struct DemoArguments {
  std::string out = "run/demo";
  std::optional<double> minutes;
  int images = 500;
  bool overwrite = false;
};

// The recipe's schedule is meant for this long on two cores.
constexpr double kRecipeMinutes = 3.5;
constexpr std::size_t kSheetPictures = 6;
constexpr double kScoreShown = 0.5;

// The recipe, trained for longer or shorter than it was made for.
Config demo_config(const DemoArguments& arguments, const std::string& data) {
  Config config = load_recipe("@demo", {"DATASETS.TRAIN", data, "DATASETS.TEST", data, "OUTPUT_DIR", arguments.out});
  if (!arguments.minutes) return config;
  LS_CHECK(kConfig, *arguments.minutes > 0, "--minutes is {}; wanted more than 0", *arguments.minutes);
  const auto scaled = [factor = *arguments.minutes / kRecipeMinutes](std::int64_t steps) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(steps) * factor));
  };
  SolverConfig& solver = config.solver;
  solver.max_iter = scaled(solver.max_iter);
  solver.warmup_iters = std::min(solver.warmup_iters.iterations(), solver.max_iter);
  for (TrainingTime& step : solver.steps) step = scaled(step.iterations());
  return config;
}

// Some pictures of the held-out data with what the model sees in them.
std::vector<SheetEntry> sheet_entries(const TrainedModel& model, const Dataset& dataset) {
  Config config = model.config;
  config.model.roi_heads.score_thresh_test = kScoreShown;
  Detector detector(config, model.parameter_pointers());
  std::vector<SheetEntry> entries;
  for (const ImageRecord& record : dataset.images) {
    if (record.boxes.empty()) continue;
    Image image = load_image(record.path, {record.width, record.height});
    const Prediction prediction{record.path, image.width, image.height, detector.detect(image)};
    entries.push_back({to_picture(std::move(image)), boxes_to_draw(prediction, model.categories), record.file_name});
    if (entries.size() == kSheetPictures) break;
  }
  return entries;
}

void write_contact_sheet(const TrainedModel& model, const Dataset& dataset, const std::string& path) {
  constexpr int kColumns = 3, kCellWidth = 480, kCellHeight = 360;
  const Picture sheet = contact_sheet(sheet_entries(model, dataset), kColumns, kCellWidth, kCellHeight);
  write_file_atomically(path, encode_picture_png(sheet));
}

int run(const DemoArguments& arguments, Program& program) {
  constexpr std::uint64_t kSeed = 3;
  const std::string data = (fs::path(arguments.out) / "data").string();
  const Config config = demo_config(arguments, data);
  LS_CHECK(kConfig, arguments.overwrite || !RunDirectory(arguments.out).holds_run(),
           "{} holds a demo already; replace it by --overwrite, or choose another --out", arguments.out);

  log_info("demo", "1 of 4: {} pictures of shapes into {}", arguments.images, data);
  const SynthSummary synth = write_synthetic_dataset(data, arguments.images, kSeed);
  log_info("demo", "{} for training, {} held out, {} boxes", synth.train_images, synth.val_images, synth.boxes);

  log_info("demo", "2 of 4: training from random initialisation, {} steps, one worker per core",
           config.solver.max_iter);
  TrainerOptions options;
  options.overwrite = arguments.overwrite;
  options.argv = program.argv;
  const TrainingOutcome outcome = run_training(config, options, program.console);
  if (outcome.exit_code() != 0) return outcome.exit_code();

  log_info("demo", "3 of 4: drawing {} held-out pictures", kSheetPictures);
  const TrainedModel model = load_model(arguments.out, "", {});
  const Dataset held_out = load_dataset({data}, {}, DataSplit::kTest);
  const std::string sheet = (fs::path(arguments.out) / "predictions.png").string();
  write_contact_sheet(model, held_out, sheet);

  log_info("demo", "4 of 4: average precision on the held-out pictures");
  print(fmt::format("run      {}\ndigest   {}\npictures {}\n\n{}", arguments.out, outcome.digest, sheet,
                    outcome.evaluation ? outcome.evaluation->table : ""));
  return 0;
}

}  // namespace

void add_demo_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<DemoArguments>();
  CLI::App& command =
      add_command(app, {"demo", "Make data, train, evaluate and draw, in minutes on two cores",
                        "demo [--out DIR] [--minutes M] [--overwrite]", "lockstep demo --out run/demo"});
  command.add_option("--out", arguments->out, "folder for data, run and pictures (run/demo)");
  command.add_option("--minutes", arguments->minutes, "train about this long on two cores (3.5)");
  command.add_option("--images", arguments->images, "pictures to make (500)");
  command.add_flag("--overwrite", arguments->overwrite, "replace an earlier demo there");
  command.callback([&, arguments] {
    program.action = [&, arguments] {
      require_no_arguments(command);
      return run(*arguments, program);
    };
  });
}

}  // namespace lockstep::app
