// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scaling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "config/config_test_support.h"
#include "config/random_recipes.h"
#include "lockstep/base/log.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/load.h"
#include "lockstep/config/scaled_keys.h"
#include "lockstep/config/scaling_report.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ConfigPtr recipe(const std::vector<std::string>& overrides) {
  auto config = std::make_shared<Config>();
  apply_overrides(*config, {"SOLVER.REFERENCE_WORLD_SIZE", "8", "SOLVER.IMS_PER_BATCH", "16", "SOLVER.BASE_LR", "0.02",
                            "SOLVER.MAX_ITER", "90000", "SOLVER.STEPS", "(60000, 80000)", "SOLVER.WARMUP_ITERS", "1000",
                            "TEST.EVAL_PERIOD", "5000", "SOLVER.SCALING", "exact"});
  apply_overrides(*config, overrides);
  return config;
}

TEST(ExactScaling, ScalesEveryKeyThatDependsOnTheWorkers) {
  const ConfigPtr config = recipe({"SOLVER.BASE_LR_END", "0.001", "SOLVER.LRS", "[0.02, 0.002]", "SOLVER.STEP_SIZE",
                                   "30000", "SOLVER.CHECKPOINT_PERIOD", "2500"});
  const ConfigPtr result = scale_recipe(config, 24).config;
  const SolverConfig& scaled = result->solver;
  EXPECT_EQ(scaled.ims_per_batch, 48);
  EXPECT_EQ(scaled.base_lr, 0.06);
  EXPECT_EQ(scaled.base_lr_end, 0.003);
  EXPECT_THAT(scaled.lrs, ElementsAre(0.06, 0.006));
  EXPECT_EQ(scaled.max_iter, 30000);
  EXPECT_THAT(scaled.steps, ElementsAre(20000, 26667));
  EXPECT_EQ(scaled.step_size, 10000);
  EXPECT_EQ(scaled.warmup_iters, 333);
  EXPECT_EQ(scaled.checkpoint_period, 833);
  EXPECT_EQ(result->test.eval_period, 1667);
  EXPECT_EQ(scaled.reference_world_size, 24);
  EXPECT_EQ(scaled.reference.world_size, 8);
  EXPECT_EQ(scaled.reference.max_iter, 90000);
}

TEST(ExactScaling, ScalesTheRateAsAsked) {
  EXPECT_EQ(scale_recipe(recipe({"SOLVER.LR_SCALING", "sqrt"}), 32).config->solver.base_lr, 0.04);
  EXPECT_EQ(scale_recipe(recipe({"SOLVER.LR_SCALING", "none"}), 32).config->solver.base_lr, 0.02);
  EXPECT_EQ(scale_recipe(recipe({"SOLVER.LR_SCALING", "linear"}), 32).config->solver.base_lr, 0.08);
}

TEST(ExactScaling, KeepsWhatWouldRoundAwayAndSaysSo) {
  const ConfigPtr config = recipe({"SOLVER.REFERENCE_WORLD_SIZE", "1", "SOLVER.IMS_PER_BATCH", "2", "SOLVER.MAX_ITER",
                                   "9", "SOLVER.WARMUP_ITERS", "1", "SOLVER.STEPS", "(1, 6, 8, 9)", "TEST.EVAL_PERIOD",
                                   "1", "SOLVER.CHECKPOINT_PERIOD", "0"});
  const ScaledRecipe scaled = scale_recipe(config, 2);
  EXPECT_EQ(scaled.config->solver.max_iter, 4);
  EXPECT_THAT(scaled.config->solver.steps, ElementsAre(1, 2, 3));
  EXPECT_EQ(scaled.config->solver.warmup_iters, 1);
  EXPECT_EQ(scaled.config->test.eval_period, 1);
  EXPECT_EQ(scaled.config->solver.checkpoint_period, 0);  // off stays off
  EXPECT_THAT(scaled.remarks,
              ElementsAre("SOLVER.STEPS: 9 is left out; it has no effect at or past MAX_ITER 9",
                          "SOLVER.STEPS: 0.5 would round to 0; 1 is used, so that the steps rise from 1 and stay below "
                          "MAX_ITER 4",
                          "SOLVER.STEPS: 3 would round to 3; 2 is used, so that the steps rise from 1 and stay below "
                          "MAX_ITER 4",
                          "SOLVER.STEPS: 4 would round to 4; 3 is used, so that the steps rise from 1 and stay below "
                          "MAX_ITER 4",
                          "SOLVER.WARMUP_ITERS: 0.5 would round to 0; 1 is used",
                          "TEST.EVAL_PERIOD: 0.5 would round to 0; 1 is used"));
  EXPECT_THAT(rounding_losses(scaled), IsEmpty());
}

TEST(ExactScaling, RefusesWhatCannotBeScaled) {
  EXPECT_EQ(error_of([] { scale_recipe(recipe({}), 0); }), "found 0 workers, wanted at least 1");
  EXPECT_EQ(error_of([] {
              scale_recipe(recipe({"SOLVER.IMS_PER_BATCH", "12"}), 2);
            }),
            "Invalid REFERENCE_WORLD_SIZE in config! SOLVER.REFERENCE_WORLD_SIZE: found 8, wanted a divisor of "
            "SOLVER.IMS_PER_BATCH (12)");
  EXPECT_EQ(error_of([] {
              scale_recipe(recipe({"SOLVER.STEPS", "(5, 5)"}), 2);
            }),
            "SOLVER.STEPS: found 5 after 5 in the reference recipe, wanted increasing iterations");
  EXPECT_EQ(
      error_of([] {
        scale_recipe(recipe({"SOLVER.MAX_ITER", "16", "SOLVER.STEPS", "(8, 12)"}), 64);
      }),
      "SOLVER.STEPS: found 2 steps for a training of 2 iterations with this many workers, wanted fewer steps than "
      "iterations; use fewer workers, or a longer schedule");
  EXPECT_EQ(error_of([] {
              scale_recipe(recipe({"SOLVER.STEPS", "[8ep]", "SOLVER.WARMUP_ITERS", "1ep"}), 2);
            }),
            "found epochs in SOLVER.STEPS and SOLVER.WARMUP_ITERS, wanted iterations to scale; the number of training "
            "images turns the one into the other");
  EXPECT_EQ(error_of([] {
              scale_recipe(recipe({"SOLVER.BASE_LR", "1e308"}), 2000000000);
            }),
            "found the learning rate 1e+308 times 2.5e+08, wanted a finite product");
}

TEST(ExactScaling, RefusesAnEditedScaledRecipe) {
  auto scaled = std::make_shared<Config>(*scale_recipe(recipe({}), 16).config);
  apply_overrides(*scaled, {"SOLVER.MAX_ITER", "100", "SOLVER.BASE_LR", "0.5"});
  EXPECT_EQ(
      error_of([&] { scale_recipe(scaled, 4); }),
      "this recipe was changed after it was scaled to 16 workers; SOLVER.REFERENCE, the recipe for 8 workers that "
      "it holds, gives (SOLVER.LR_SCALING linear):\n"
      "  SOLVER.BASE_LR: found 0.5, wanted 0.04\n"
      "  SOLVER.MAX_ITER: found 100, wanted 45000\n"
      "change the values under SOLVER.REFERENCE, or set SOLVER.REFERENCE.WORLD_SIZE 0 to make this recipe the "
      "reference");
  apply_overrides(*scaled, {"SOLVER.REFERENCE.WORLD_SIZE", "0", "SOLVER.STEPS", "(40, 80)"});
  EXPECT_EQ(scale_recipe(scaled, 4).config->solver.max_iter, 400);
}

TEST(ExactScaling, SurvivesWritingAndReading) {
  const ConfigPtr config = recipe({});
  const ConfigPtr scaled = scale_recipe(config, 3).config;
  const auto read = std::make_shared<const Config>(config_from_yaml(to_yaml(*scaled)));
  EXPECT_EQ(to_yaml(*scale_recipe(read, 8).config), to_yaml(*config));
  EXPECT_EQ(to_yaml(*scale_recipe(read, 5).config), to_yaml(*scale_recipe(config, 5).config));
}

TEST(ScaleRecipe, GivesTheSameObjectWhenNothingChanges) {
  const ConfigPtr config = recipe({});
  EXPECT_TRUE(scale_recipe(config, 8).config == config);
  const ConfigPtr unset = recipe({"SOLVER.REFERENCE_WORLD_SIZE", "0"});
  EXPECT_TRUE(scale_recipe(unset, 5).config == unset);
}

TEST(ScaleRecipe, FollowsDetectron2ByDefault) {
  const ConfigPtr config = recipe({"SOLVER.SCALING", "detectron2"});
  EXPECT_EQ(Config{}.solver.scaling, "detectron2");
  EXPECT_EQ(to_yaml(*scale_recipe(config, 3).config), to_yaml(*auto_scale_workers(config, 3)));
}

TEST(CheckRounding, NamesWhatDetectron2sRoundingLoses) {
  const ConfigPtr config =
      recipe({"SOLVER.SCALING", "detectron2", "SOLVER.REFERENCE_WORLD_SIZE", "1", "SOLVER.IMS_PER_BATCH", "2",
              "SOLVER.MAX_ITER", "6", "SOLVER.WARMUP_ITERS", "1", "SOLVER.STEPS", "(1, 3, 4, 5)", "TEST.EVAL_PERIOD",
              "1", "SOLVER.CHECKPOINT_PERIOD", "1"});
  EXPECT_EQ(error_of([&] { check_rounding(scale_recipe(config, 2)); }),
            "scaling this recipe from 1 to 2 workers loses parts of it:\n"
            "  SOLVER.WARMUP_ITERS: 1 became 0\n"
            "  SOLVER.CHECKPOINT_PERIOD: 1 became 0\n"
            "  TEST.EVAL_PERIOD: 1 became 0\n"
            "  SOLVER.STEPS: 1 became 0\n"
            "  SOLVER.STEPS: 3 and 4 both became 2\n"
            "  SOLVER.STEPS: 4 and 5 both became 2\n"
            "set SOLVER.SCALING exact, which keeps them while each has an iteration of its own, or use fewer workers");
  const ConfigPtr late = recipe({"SOLVER.SCALING", "detectron2", "SOLVER.MAX_ITER", "8", "SOLVER.STEPS", "[7]",
                                 "SOLVER.WARMUP_ITERS", "0", "TEST.EVAL_PERIOD", "0", "SOLVER.CHECKPOINT_PERIOD", "0"});
  EXPECT_THAT(error_of([&] { check_rounding(scale_recipe(late, 16)); }),
              HasSubstr("\n  SOLVER.STEPS: 7 became 4, at or past MAX_ITER 4, and has no effect\n"));
  EXPECT_EQ(error_of([&] { check_rounding(scale_recipe(config, 1)); }), "no error");
}

TEST(LearningRateWarning, ProposesALongerWarmUp) {
  EXPECT_EQ(learning_rate_warning(scale_recipe(recipe({}), 32)), "");
  EXPECT_EQ(learning_rate_warning(scale_recipe(recipe({}), 1)), "");
  EXPECT_EQ(learning_rate_warning(scale_recipe(recipe({}), 64)),
            "SOLVER.BASE_LR 0.16 is 8 times the rate 0.02 that the recipe was made with, and scaled rates are known to "
            "hold up to 4 times; try a longer warm-up, SOLVER.WARMUP_ITERS 1000 of 11250 iterations, or "
            "SOLVER.LR_SCALING sqrt with SOLVER.SCALING exact");
  EXPECT_EQ(learning_rate_warning(scale_recipe(recipe({"SOLVER.LR_SCALING", "sqrt"}), 64)), "");
  EXPECT_THAT(learning_rate_warning(scale_recipe(recipe({"SOLVER.WARMUP_ITERS", "60000"}), 64)),
              HasSubstr("the warm-up is long already; try fewer workers"));
}

TEST(ScalingRows, ShowReferenceScaledExactAndRule) {
  const auto rows = scaling_rows(scale_recipe(recipe({}), 24));
  const auto text = [&](std::string_view path) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const ScalingRow& r) { return r.path == path; });
    return row->reference + " | " + row->scaled + " | " + row->exact + " | " + row->rule;
  };
  EXPECT_EQ(text("SOLVER.IMS_PER_BATCH"), "16 | 48 | 48 | x 3");
  EXPECT_EQ(text("SOLVER.BASE_LR"), "0.02 | 0.06 | 0.06 | x 3");
  EXPECT_EQ(text("SOLVER.STEPS"), "[60000, 80000] | [20000, 26667] | [20000, 26666.6667] | / 3, at least 1");
  const auto detectron2 = scaling_rows(scale_recipe(recipe({"SOLVER.SCALING", "detectron2"}), 12));
  EXPECT_EQ(detectron2[2].path, "SOLVER.BASE_LR_END");
  EXPECT_EQ(detectron2[2].rule, "not scaled by detectron2");
  EXPECT_EQ(detectron2[1].rule, "x 3/2");
  EXPECT_EQ(detectron2[4].rule, "x 2/3");
}

TEST(ScheduleTotals, CountImages) {
  const ScheduleTotals totals = schedule_totals(*recipe({}), 118000);
  EXPECT_EQ(totals.images, 1440000);
  EXPECT_EQ(totals.warmup_images, 16000);
  EXPECT_EQ(totals.checkpoints, 18);
  EXPECT_NEAR(totals.epochs.value(), 12.2, 0.01);
}

// 100,000 recipes in which everything is random, many of them so short that little is left after scaling.
TEST(ExactScaling, IsReversibleAndLosesNothingForAnyRecipe) {
  const LogSink before = set_log_sink([](LogLevel, std::string_view, std::string_view) {});
  std::mt19937_64 random(20200928);
  int refused = 0;
  for (int i = 0; i < 100000; ++i) {
    const testing::RandomRecipe drawn = testing::random_recipe(random);
    const ConfigPtr& config = drawn.config;
    SCOPED_TRACE(i);
    ScaledRecipe scaled;
    try {
      scaled = scale_recipe(config, drawn.workers);
    } catch (const Error& error) {
      ASSERT_THAT(error.what(), HasSubstr("wanted fewer steps than iterations"));
      ++refused;
      continue;
    }
    const SolverConfig& solver = scaled.config->solver;
    const SolverConfig& reference = config->solver;
    if (drawn.workers != reference.reference_world_size) {
      const ConfigPtr back = scale_recipe(scaled.config, static_cast<int>(reference.reference_world_size)).config;
      for (const ScaledKey& key : kScaledKeys) {
        ASSERT_EQ(find_key(key.path)->get(*back), find_key(key.path)->get(*config)) << diff_yaml(*config);
      }
    }
    ASSERT_EQ(solver.ims_per_batch * reference.reference_world_size, reference.ims_per_batch * drawn.workers);
    ASSERT_THAT(rounding_losses(scaled), IsEmpty());
    std::int64_t previous = -1;
    for (const TrainingTime& step : solver.steps) {
      ASSERT_GT(step.iterations(), previous);
      previous = step.iterations();
    }
    if (solver.steps != reference.steps) {
      ASSERT_LT(previous, solver.max_iter);
    }
    const auto images = schedule_totals(*scaled.config, {}).images - schedule_totals(*config, {}).images;
    ASSERT_LT(std::abs(images), std::max(solver.ims_per_batch, reference.ims_per_batch));
  }
  set_log_sink(before);
  EXPECT_LT(refused, 20000);
}

}  // namespace
}  // namespace lockstep
