// SPDX-License-Identifier: Apache-2.0
// What a run takes up again besides parameters and momentum (lockstep_law_test.cc covers those).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "engine/small_run.h"
#include "lockstep/base/error.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/engine/trainer.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

TrainerOptions resuming() {
  TrainerOptions options;
  options.workers = 1;
  options.resume = ResumeMode::kRequire;
  return options;
}

TrainerOptions starting() {
  TrainerOptions options = resuming();
  options.resume = ResumeMode::kNever;
  return options;
}

TEST(TrainerResume, AWorseEvaluationDoesNotReplaceTheBestModel) {
  TemporaryFolder folder;
  Config config = small_recipe(folder.file("run"));
  config.solver.max_iter = 1;
  config.model.roi_heads.score_thresh_test = 1.0;  // nothing is found: every AP is 0
  Trainer(config, starting()).run();
  const std::string best = folder.file("run/model_best.safetensors");
  ASSERT_EQ(read_weights_header(best).info.step, 1);
  config.solver.max_iter = 2;
  Trainer(config, resuming()).run();
  EXPECT_EQ(read_weights_header(best).info.step, 1);
  EXPECT_EQ(read_weights_header(best).info.ap, 0.0);
}

TEST(TrainerResume, AnotherBatchSizeIsRefused) {
  TemporaryFolder folder;
  Config config = small_recipe(folder.file("run"));
  config.solver.max_iter = 1;
  config.datasets.test = {};
  Trainer(config, starting()).run();
  config.solver.max_iter = 2;
  config.solver.ims_per_batch = 2;
  std::optional<Error> caught;
  try {
    Trainer(config, resuming());
  } catch (const Error& error) {
    caught = error;
  }
  ASSERT_TRUE(caught);
  EXPECT_EQ(caught->kind(), ErrorKind::kConfig);
  EXPECT_THAT(caught->message(), HasSubstr("after 1 steps with 4 samples, but the recipe's SOLVER.IMS_PER_BATCH 2"));
}

TEST(TrainerResume, ARunStoppedBeforeItsFirstStepGoesOn) {
  TemporaryFolder folder;
  Config config = small_recipe(folder.file("run"));
  config.solver.max_iter = 1;
  config.datasets.test = {};
  CancelToken cancel;
  cancel.request();
  EXPECT_EQ(Trainer(config, starting()).run(cancel), TrainResult::kCancelled);
  Trainer second(config, resuming());
  EXPECT_EQ(second.step(), 0);
  EXPECT_EQ(second.run(), TrainResult::kFinished);
}

}  // namespace
}  // namespace lockstep
