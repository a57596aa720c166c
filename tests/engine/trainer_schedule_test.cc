// SPDX-License-Identifier: Apache-2.0
// The schedule inside a run: epochs, jumps of the learning rate, checkpoints by wall clock, and resuming across them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/engine/trainer.h"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config recipe(const std::string& output_dir) {
  Config config = small_recipe(output_dir);
  config.datasets.test.clear();
  return config;
}

TrainerOptions with_workers(int workers, ResumeMode resume = ResumeMode::kNever) {
  TrainerOptions options;
  options.workers = workers;
  options.resume = resume;
  return options;
}

// Trains to the end, or stops after `steps` finished steps; gives the digest and the rates.
struct Course {
  std::string digest;
  std::vector<double> rates;
  std::vector<std::string> notices;
};
Course run(const Config& config, const TrainerOptions& options, std::int64_t steps = 1000) {
  Course result;
  CancelToken cancel;
  TrainerCallbacks callbacks;
  callbacks.on_notice = [&](const std::string& line) { result.notices.push_back(line); };
  callbacks.on_step = [&](const StepReport& report) {
    result.rates.push_back(report.learning_rate);
    if (report.step == steps) cancel.request();
  };
  Trainer trainer(config, options, callbacks);
  trainer.run(cancel);
  result.digest = trainer.digest();
  return result;
}

// The small data set has 15 training images with boxes, and a batch 4 of them.
TEST(TrainerSchedule, CountsEpochsOfTheDataSet) {
  TemporaryFolder folder;
  Config config = recipe(folder.file("run"));
  config.solver.max_iter = 0;
  config.solver.max_epochs = 1.6;
  config.solver.steps = {TrainingTime::of_epochs(0.5)};
  config.solver.warmup_iters = 0;
  const Course whole = run(config, with_workers(2));
  ASSERT_EQ(whole.rates.size(), 6U);
  EXPECT_FLOAT_EQ(static_cast<float>(whole.rates.back()), static_cast<float>(0.1 * config.solver.base_lr));
  EXPECT_THAT(
      whole.notices,
      testing::Contains(HasSubstr("iteration = 4 images = 0.2667 epochs; 6 iterations = 24 images = 1.6 epochs")));

  // Resumed on another number of workers, the schedule goes on.
  config.output_dir = folder.file("other");
  run(config, with_workers(2), 2);
  const Course rest = run(config, with_workers(1, ResumeMode::kRequire));
  EXPECT_EQ(rest.rates.size(), whole.rates.size() - 2);
  EXPECT_EQ(rest.digest, whole.digest);
}

TEST(TrainerSchedule, MixedTimesAreComparedInIterations) {
  TemporaryFolder folder;
  Config config = recipe(folder.file("run"));
  config.solver.steps = {100, TrainingTime::of_epochs(1)};
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config, with_workers(1)); }),
              HasSubstr("SOLVER.STEPS: found 4 after 100, wanted increasing times"));
}

TEST(TrainerSchedule, TheMomentumFollowsAJumpOfTheRate) {
  TemporaryFolder folder;
  Config config = recipe(folder.file("run"));
  config.solver.update_rule = "detectron";
  config.solver.max_iter = 4;
  config.solver.steps = {2};
  config.solver.warmup_iters = 0;
  const std::string corrected = run(config, with_workers(2)).digest;

  config.output_dir = folder.file("resumed");  // between the jump's two steps
  run(config, with_workers(2), 2);
  EXPECT_EQ(run(config, with_workers(1, ResumeMode::kRequire)).digest, corrected);

  config.output_dir = folder.file("plain");
  config.solver.scale_momentum = false;
  EXPECT_NE(run(config, with_workers(2)).digest, corrected);

  config.solver.update_rule = "detectron2";  // its velocity knows no rate
  config.output_dir = folder.file("without");
  const std::string without = run(config, with_workers(2)).digest;
  config.solver.scale_momentum = true;
  config.output_dir = folder.file("with");
  EXPECT_EQ(run(config, with_workers(2)).digest, without);
}

TEST(TrainerSchedule, SavesByWallClockWithoutChangingTheResult) {
  TemporaryFolder folder;
  Config config = recipe(folder.file("run"));
  config.solver.max_iter = 5;
  config.solver.checkpoint_period = 0;
  const std::string plain = run(config, with_workers(1)).digest;

  config.output_dir = folder.file("timed");
  config.solver.checkpoint_minutes = 2;
  double seconds = 0;
  TrainerOptions options = with_workers(1);
  options.clock = [&] { return seconds; };
  std::vector<std::string> saved;
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport&) { seconds += 50; };  // due after steps 3 and, 150 seconds later, never
  callbacks.on_checkpoint = [&](const std::string& path) { saved.push_back(path.substr(path.rfind('/') + 1)); };
  Trainer trainer(config, options, callbacks);
  trainer.run();
  EXPECT_EQ(trainer.digest(), plain);
  EXPECT_THAT(saved, ElementsAre("step_00000003.safetensors", "step_00000005.safetensors", "model_final.safetensors"));
}

}  // namespace
}  // namespace lockstep
