// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/engine/run_directory.h"

namespace lockstep {
namespace {

using testing::HasSubstr;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Config recipe_without_evaluation(const std::string& output_dir) {
  Config config = small_recipe(output_dir);
  config.datasets.test.clear();
  return config;
}

TrainerOptions two_workers(ResumeMode resume = ResumeMode::kNever) {
  TrainerOptions options;
  options.workers = 2;
  options.resume = resume;
  return options;
}

// A rate that blows the weights up in the first update: the losses of the second step are not finite.
TEST(Trainer, ALossThatIsNotFiniteStopsTheRun) {
  TemporaryFolder folder;
  Config config = recipe_without_evaluation(folder.file("run"));
  config.solver.checkpoint_period = 2;
  CancelToken cancel;
  TrainerCallbacks stop_at_two;
  stop_at_two.on_step = [&](const StepReport& report) {
    if (report.step == 2) cancel.request();
  };
  Trainer(config, two_workers(), stop_at_two).run(cancel);
  const RunDirectory run(folder.file("run"));
  ASSERT_EQ(run.last_checkpoint(), run.checkpoint_file(2));
  const std::string before = read_file(run.checkpoint_file(2));

  config.solver.base_lr = 1e30;
  config.solver.checkpoint_period = 100;
  Trainer trainer(config, two_workers(ResumeMode::kRequire));
  const std::string text = error_text(ErrorKind::kNumeric, [&] { trainer.run(); });
  EXPECT_THAT(text, HasSubstr("a loss is not finite: cpu_"));
  for (const char* loss : {"/loss_cls = ", "/loss_box_reg = ", "/loss_rpn_cls = ", "/loss_rpn_loc = "}) {
    EXPECT_THAT(text, HasSubstr(loss));
  }
  EXPECT_THAT(text, HasSubstr("SOLVER.BASE_LR too high"));
  EXPECT_THAT(text, HasSubstr("at step 3"));
  EXPECT_THAT(text, HasSubstr("images of the step: sample 12 = image "));
  EXPECT_THAT(text, HasSubstr(".jpg)"));
  EXPECT_THAT(text, HasSubstr("learning rate 1e+30; the last checkpoint is untouched"));
  EXPECT_EQ(trainer.step(), 3);

  EXPECT_EQ(run.last_checkpoint(), run.checkpoint_file(2));
  EXPECT_EQ(read_file(run.checkpoint_file(2)), before);
  EXPECT_FALSE(std::filesystem::exists(run.checkpoint_file(3)));
  EXPECT_FALSE(std::filesystem::exists(run.file("model_final.safetensors")));
}

TEST(Trainer, ParametersThatAreNotFiniteAreNeverSaved) {
  TemporaryFolder folder;
  Config config = recipe_without_evaluation(folder.file("run"));
  config.solver.base_lr = 1e30;
  config.solver.bias_lr_factor = 1e30;
  config.solver.max_iter = 1;
  Trainer trainer(config, two_workers());
  EXPECT_THAT(error_text(ErrorKind::kNumeric, [&] { trainer.run(); }),
              HasSubstr("is not finite after step 1; nothing was saved, the last checkpoint is untouched"));
  EXPECT_FALSE(RunDirectory(folder.file("run")).last_checkpoint().has_value());
  EXPECT_TRUE(std::filesystem::is_empty(folder.file("run/checkpoints")));
}

TEST(Trainer, TwoInOneProcessAreIndependent) {
  TemporaryFolder folder;
  const auto digest_of_run = [&](const std::string& name) {
    Trainer trainer(recipe_without_evaluation(folder.file(name)), two_workers());
    trainer.run();
    return trainer.digest();
  };
  const std::string alone = digest_of_run("alone");
  Trainer first(recipe_without_evaluation(folder.file("first")), two_workers());
  Trainer second(recipe_without_evaluation(folder.file("second")), two_workers());
  EXPECT_EQ(first.digest(), second.digest());  // both still at their first values
  second.run();
  EXPECT_NE(first.digest(), second.digest());
  first.run();
  EXPECT_EQ(first.digest(), alone);
  EXPECT_EQ(second.digest(), alone);
}

// SOLVER.REFERENCE_WORLD_SIZE: a recipe for 2 workers and 4 images a step, on one worker.
TEST(Trainer, TheLinearScalingRuleChangesBatchAndSchedule) {
  TemporaryFolder folder;
  Config config = recipe_without_evaluation(folder.file("run"));
  config.solver.reference_world_size = 2;
  TrainerOptions options;
  options.workers = 1;
  std::int64_t steps = 0;
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) { steps = report.max_iter; };
  Trainer(config, options, callbacks).run();
  EXPECT_EQ(steps, 2 * config.solver.max_iter);
  EXPECT_THAT(read_file(folder.file("run/config.yaml")), HasSubstr("IMS_PER_BATCH: 4"));
  EXPECT_THAT(read_file(folder.file("run/config.effective.yaml")), HasSubstr("IMS_PER_BATCH: 2"));

  config.solver.warmup_iters = 1;
  config.output_dir = folder.file("other");
  options.workers = 4;
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config, options).run(); }),
              HasSubstr("SOLVER.WARMUP_ITERS: 1 became 0"));
}

TEST(Trainer, StoppedBeforeTheFirstStepItCanBeResumed) {
  TemporaryFolder folder;
  const Config config = recipe_without_evaluation(folder.file("run"));
  CancelToken cancel;
  cancel.request();
  EXPECT_EQ(Trainer(config, two_workers()).run(cancel), TrainResult::kCancelled);
  const RunDirectory run(folder.file("run"));
  EXPECT_EQ(run.last_checkpoint(), run.checkpoint_file(0));
  Trainer resumed(config, two_workers(ResumeMode::kRequire));
  EXPECT_EQ(resumed.run(), TrainResult::kFinished);

  Trainer straight(recipe_without_evaluation(folder.file("straight")), two_workers());
  straight.run();
  EXPECT_EQ(resumed.digest(), straight.digest());
}

TEST(Trainer, ResumeAutoStartsARunThatWasKilledBeforeItsFirstCheckpoint) {
  TemporaryFolder folder;
  const Config config = recipe_without_evaluation(folder.file("run"));
  { const Trainer killed(config, two_workers()); }
  const RunDirectory run(folder.file("run"));
  ASSERT_TRUE(run.holds_run());
  ASSERT_FALSE(run.last_checkpoint().has_value());
  EXPECT_EQ(Trainer(config, two_workers(ResumeMode::kAuto)).run(), TrainResult::kFinished);

  // Weights without last_checkpoint are somebody's work: not replaced.
  std::filesystem::remove(run.file("last_checkpoint"));
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config, two_workers(ResumeMode::kAuto)); }),
              HasSubstr("holds a run already"));
}

TEST(Trainer, ASecondRunBesideItIsRefused) {
  TemporaryFolder folder;
  const Config config = recipe_without_evaluation(folder.file("run"));
  const Trainer running(config, two_workers());
  TrainerOptions options = two_workers();
  options.overwrite = true;
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config, options); }),
              HasSubstr("another training is running in "));
  EXPECT_TRUE(RunDirectory(folder.file("run")).holds_run());
}

TEST(Trainer, ASecondRunIntoTheSameDirectoryIsRefused) {
  TemporaryFolder folder;
  const Config config = recipe_without_evaluation(folder.file("run"));
  Trainer(config, two_workers()).run();
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config, two_workers()); }),
              HasSubstr("holds a run already; go on with it by --resume, replace it by --overwrite"));
  EXPECT_THAT(
      error_text(ErrorKind::kConfig,
                 [&] { Trainer(recipe_without_evaluation(folder.file("empty")), two_workers(ResumeMode::kRequire)); }),
      HasSubstr("holds no checkpoint; train without --resume, or name the run's directory"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("empty")));
}

// The handshake of a resumed run: what decides bits must be as it was, or be allowed to differ.
class NumericsHandshake : public testing::Test {
 protected:
  NumericsHandshake() : config_(recipe_without_evaluation(folder_.file("run"))) {
    config_.solver.max_iter = 1;
    Trainer(config_, two_workers()).run();
    config_.solver.max_iter = 2;
    path_ = *RunDirectory(folder_.file("run")).last_checkpoint();
  }

  // Rewrites the checkpoint as if it came from elsewhere.
  void pretend(const Numerics& numerics) const {
    Checkpoint checkpoint = load_checkpoint(path_);
    checkpoint.info.numerics = numerics;
    NamedTensors parameters, momentum;
    for (const auto& [name, tensor] : checkpoint.parameters) parameters.emplace_back(name, &tensor);
    for (const auto& [name, tensor] : checkpoint.momentum) momentum.emplace_back(name, &tensor);
    save_checkpoint(path_, checkpoint.info, parameters, momentum);
  }

  void expect_refused(const std::string& difference, int threads = 1) {
    TrainerOptions options = two_workers(ResumeMode::kRequire);
    options.threads = threads;
    EXPECT_EQ(error_text(ErrorKind::kConfig, [&] { Trainer(config_, options); }),
              path_ + " was written with other numerics (" + difference +
                  "), so the run would not go on bit for bit; use the same, or accept it by "
                  "--allow-different-numerics");
    options.allow_different_numerics = true;
    Trainer allowed(config_, options);
    EXPECT_EQ(allowed.step(), 1);
  }

  TemporaryFolder folder_;
  Config config_;
  std::string path_;
};

TEST_F(NumericsHandshake, TheSameGoesOn) {
  Trainer trainer(config_, two_workers(ResumeMode::kRequire));
  EXPECT_EQ(trainer.step(), 1);
  EXPECT_EQ(trainer.run(), TrainResult::kFinished);
}

TEST_F(NumericsHandshake, OtherThreadsAreRefused) { expect_refused("threads 1 -> 2", 2); }

TEST_F(NumericsHandshake, AnotherBuildIsRefused) {
  const Numerics now = current_numerics(1);
  pretend({"lockstep 0.0.1", now.isa, now.threads});
  expect_refused("build lockstep 0.0.1 -> " + now.build);
}

TEST_F(NumericsHandshake, AnotherInstructionSetIsRefused) {
  const Numerics now = current_numerics(1);
  pretend({now.build, "sse0", now.threads});
  expect_refused("instruction set sse0 -> " + now.isa);
}

TEST_F(NumericsHandshake, AnotherSeedIsNeverAllowed) {
  config_.seed = 17;
  TrainerOptions options = two_workers(ResumeMode::kRequire);
  options.allow_different_numerics = true;
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config_, options); }),
              HasSubstr("was trained with seed 3, the recipe says 17"));
}

}  // namespace
}  // namespace lockstep
