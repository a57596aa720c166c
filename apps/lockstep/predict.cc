// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "drawings.h"
#include "lockstep/base/check.h"
#include "lockstep/base/log.h"
#include "lockstep/config/support.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/engine/detector.h"
#include "lockstep/io/atomic_file.h"
#include "output.h"
#include "predictions.h"
#include "trained_model.h"

namespace lockstep::app {
namespace {

struct PredictArguments {
  std::string weights;
  std::string recipe;
  std::optional<double> score;
  std::optional<int> max_detections;
  std::string draw;
  std::string format = "text";
  int threads = 1;
  bool json = false;
};

// The recipe's own threshold is low, as evaluation wants it; people want boxes that are probably right.
constexpr double kScoreForPeople = 0.5;

TrainedModel model_of(const PredictArguments& arguments) {
  LS_CHECK(kConfig, !arguments.weights.empty(), "no weights; name a file or a run directory by --weights");
  TrainedModel model = load_model(arguments.weights, arguments.recipe, {});
  LS_CHECK(kConfig, !model.categories.empty(), "{} does not say its categories; predict wants a checkpoint of lockstep",
           model.path);
  const double score = arguments.score.value_or(kScoreForPeople);
  LS_CHECK(kConfig, score >= 0 && score <= 1, "--score is {}; wanted 0 to 1", score);
  LS_CHECK(kConfig, arguments.max_detections.value_or(1) >= 1, "--max-det is {}; wanted at least 1",
           *arguments.max_detections);
  model.config.model.roi_heads.score_thresh_test = score;
  if (arguments.max_detections) model.config.test.detections_per_image = *arguments.max_detections;
  check_supported(model.config);
  return model;
}

// Where the drawn copy of each picture goes: DIR/<name>.png, numbered where names occur twice.
class DrawnFiles {
 public:
  explicit DrawnFiles(const std::string& folder) : folder_(folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    LS_CHECK(kIo, !failed, "cannot make the folder {} of --draw: {}", folder, failed.message());
  }
  std::string next(const std::string& picture) {
    const std::string stem = std::filesystem::path(picture).stem().string();
    const int copies = used_[stem]++;
    return (folder_ / (copies == 0 ? stem + ".png" : fmt::format("{}_{}.png", stem, copies + 1))).string();
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, int> used_;
};

int run(const PredictArguments& arguments, const std::vector<std::string>& words, Console& console) {
  const std::string format = arguments.json && arguments.format == "text" ? "jsonl" : arguments.format;
  LS_CHECK(kConfig, format == "text" || format == "jsonl" || format == "coco",
           "--format is '{}'; wanted text, jsonl or coco", format);
  LS_CHECK(kConfig, !words.empty(), "no pictures; name files or folders at the end");
  LS_CHECK(kConfig, arguments.threads >= 1, "--threads is {}; wanted at least 1", arguments.threads);
  const std::vector<std::string> files = picture_files(words);
  const TrainedModel model = model_of(arguments);
  Detector detector(model.config, model.parameter_pointers(), arguments.threads);
  std::optional<DrawnFiles> drawn;
  if (!arguments.draw.empty()) drawn.emplace(arguments.draw);

  std::vector<Prediction> predictions;
  std::vector<Error> unread;
  for (const std::string& file : files) {
    console.status(fmt::format("picture {} of {}", predictions.size() + unread.size() + 1, files.size()));
    Image image;
    try {
      image = load_image(file);
    } catch (const Error& error) {
      const bool of_the_file =
          error.kind() == ErrorKind::kData || error.kind() == ErrorKind::kUnsupported || error.kind() == ErrorKind::kIo;
      if (!of_the_file) throw;
      log_warning("predict", "{}", error.message());  // names the file
      unread.push_back(error);
      continue;
    }
    const Prediction& done =
        predictions.emplace_back(Prediction{file, image.width, image.height, detector.detect(image)});
    if (format == "text") print(prediction_text(done, model.categories));
    if (format == "jsonl") print(prediction_json_line(done, model.categories));
    if (!drawn) continue;
    Picture picture = to_picture(std::move(image));
    draw_boxes(picture, boxes_to_draw(done, model.categories));
    const std::string path = drawn->next(file);
    write_file_atomically(path, encode_picture_png(picture));
    log_info("predict", "drawn {}", path);
  }
  const bool found =
      std::any_of(predictions.begin(), predictions.end(), [](const Prediction& done) { return !done.objects.empty(); });
  if (!found && !predictions.empty()) {
    log_info("predict", "no object scores {} or more; a lower --score shows less likely ones",
             model.config.model.roi_heads.score_thresh_test);
  }
  if (format == "coco") print(predictions_coco_json(predictions, model.categories));
  if (!unread.empty()) {
    throw Error(unread[0].kind(), fmt::format("{} of {} pictures could not be read, the first: {}", unread.size(),
                                              files.size(), unread[0].message()));
  }
  return 0;
}

}  // namespace

void add_predict_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<PredictArguments>();
  CLI::App& command = add_command(
      app, {"predict", "Find objects in pictures, and draw them", "predict --weights W|RUN_DIR [flags] IMAGE|DIR ...",
            "lockstep predict --weights run/first --draw run/first/pictures run/shapes/images"});
  command.add_option("--weights", arguments->weights, "weights file or run directory");
  command.add_option("--config-file", arguments->recipe, "another recipe than the one in the weights");
  command.add_option("--score", arguments->score, "lowest score (0.5)");
  command.add_option("--max-det", arguments->max_detections, "most objects in a picture (TEST.DETECTIONS_PER_IMAGE)");
  command.add_option("--draw", arguments->draw, "write copies with boxes, labels and scores into this folder");
  command.add_option("--format", arguments->format, "text, jsonl (a line for each picture) or coco (results list)");
  command.add_option("--threads", arguments->threads, "compute threads (1)");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    program.action = [&, arguments] { return run(*arguments, free_arguments(command), program.console); };
  });
}

}  // namespace lockstep::app
