// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/coco_eval.h"

#include <filesystem>
#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/log.h"
#include "lockstep/config/support.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/engine/classes.h"
#include "lockstep/engine/detector.h"
#include "lockstep/engine/evaluation.h"
#include "lockstep/eval/coco_json.h"
#include "lockstep/eval/report.h"
#include "lockstep/io/atomic_file.h"
#include "output.h"
#include "trained_model.h"
#include "workers.h"

namespace lockstep::app {
namespace {

struct EvalArguments {
  std::string recipe;
  std::string weights;
  std::string ground_truth;
  std::string results;
  std::string out;
  WorkerArguments workers;
  bool json = false;
};

CocoStats evaluate_files(const EvalArguments& arguments) {
  LS_CHECK(kConfig, !arguments.ground_truth.empty() && !arguments.results.empty(),
           "--gt and --results belong together: the annotation file and the detections");
  for (const std::string& file : {arguments.ground_truth, arguments.results}) {
    LS_CHECK(kData, std::filesystem::exists(file), "{} does not exist", file);
  }
  return evaluate_boxes(read_coco_ground_truth(arguments.ground_truth), read_coco_results(arguments.results));
}

CocoStats evaluate_model(const EvalArguments& arguments, std::vector<std::string> words, Console& console) {
  std::string weights = arguments.weights;
  if (weights.empty()) {
    LS_CHECK(kConfig, !words.empty() && arguments.recipe.empty(),
             "what to evaluate? Name RUN_DIR, or --config-file F --weights W, or --gt J --results R");
    weights = words[0];
    words.erase(words.begin());
  }
  const int workers = arguments.workers.count();
  TrainedModel model = load_model(weights, arguments.recipe, words);
  LS_CHECK(kConfig, !model.config.datasets.test.empty(),
           "DATASETS.TEST is empty; name the test data, for example "
           "DATASETS.TEST coco:instances_val.json:images");
  Dataset dataset = load_dataset(model.config.datasets.test, model.config.datasets.catalog, DataSplit::kTest);
  if (model.categories.empty()) {
    set_classes(model.config, dataset.categories);
  } else {
    map_to_categories(dataset, model.categories, model.path);
  }
  check_supported(model.config);
  check_images_exist(dataset);
  const auto detections = coco_detections(
      dataset, detect_all(model.config, model.parameter_pointers(), dataset, workers, arguments.workers.threads,
                          [&](std::size_t done) {
                            console.status(fmt::format("detecting: {} of {} images", done, dataset.images.size()));
                          }));
  if (!arguments.out.empty()) {
    write_file_atomically(arguments.out, coco_results_json(detections));
    log_info("eval", "{} detections written to {}", detections.size(), arguments.out);
  }
  return evaluate_boxes(evaluation_ground_truth(model.config.datasets, dataset), detections);
}

int run(const EvalArguments& arguments, const CLI::App& command, Console& console) {
  CocoStats stats;
  if (!arguments.ground_truth.empty() || !arguments.results.empty()) {
    require_no_arguments(command);
    stats = evaluate_files(arguments);
  } else {
    stats = evaluate_model(arguments, free_arguments(command), console);
  }
  print(arguments.json ? coco_stats_json(stats) + "\n" : coco_table(stats));
  return 0;
}

}  // namespace

void add_eval_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<EvalArguments>();
  CLI::App& command =
      add_command(app, {"eval", "COCO average precision of a model or of a results file",
                        "eval RUN_DIR | --config-file F --weights W | --gt J --results R  [flags] [KEY VALUE ...]",
                        "lockstep eval run/first --out run/first/detections.json"});
  command.add_option("--config-file", arguments->recipe, "the recipe, when the weights hold none or another is wanted");
  command.add_option("--weights", arguments->weights, "weights file or run directory");
  command.add_option("--gt", arguments->ground_truth, "COCO annotation file");
  command.add_option("--results", arguments->results, "COCO results file");
  command.add_option("--out", arguments->out, "write the detections to this file, as COCO results");
  add_worker_flags(command, arguments->workers);
  add_json_flag(command, arguments->json);
  command.callback(
      [&, arguments] { program.action = [&, arguments] { return run(*arguments, command, program.console); }; });
}

}  // namespace lockstep::app
