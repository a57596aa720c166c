// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/lr_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config_test_support.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::IsEmpty;

SolverConfig multi_step() {
  SolverConfig solver;
  solver.base_lr = 0.02;
  solver.max_iter = 90000;
  solver.steps = {60000, 80000};
  solver.warmup_iters = 1000;
  solver.warmup_factor = 0.001;
  return solver;
}

TEST(LearningRate, WarmupMultiStep) {
  const SolverConfig solver = multi_step();
  EXPECT_FLOAT_EQ(learning_rate(solver, 0), 0.02f * 0.001f);
  EXPECT_FLOAT_EQ(learning_rate(solver, 500), 0.02f * (0.5f + 0.5f * 0.001f));
  EXPECT_FLOAT_EQ(learning_rate(solver, 1000), 0.02f);
  EXPECT_FLOAT_EQ(learning_rate(solver, 59999), 0.02f);
  EXPECT_FLOAT_EQ(learning_rate(solver, 60000), 0.002f);
  EXPECT_FLOAT_EQ(learning_rate(solver, 80000), 0.0002f);
}

// The ancestors' log lines: base 0.02, 500 iterations from a third of it.
TEST(LearningRate, WarmupOfTheAncestorsLogs) {
  SolverConfig solver = multi_step();
  solver.warmup_iters = 500;
  solver.warmup_factor = 1.0 / 3.0;
  EXPECT_NEAR(learning_rate(solver, 0), 0.0066667, 1e-7);
  EXPECT_NEAR(learning_rate(solver, 120), 0.0098667, 1e-7);
  EXPECT_NEAR(learning_rate(solver, 240), 0.0130667, 1e-7);
  EXPECT_NEAR(learning_rate(solver, 500), 0.02, 1e-7);
}

TEST(LearningRate, ConstantWarmup) {
  SolverConfig solver = multi_step();
  solver.warmup_method = "constant";
  EXPECT_FLOAT_EQ(learning_rate(solver, 999), 0.02f * 0.001f);
  EXPECT_FLOAT_EQ(learning_rate(solver, 1000), 0.02f);
}

TEST(LearningRate, CosineEndsAtBaseLrEnd) {
  SolverConfig solver = multi_step();
  solver.lr_scheduler_name = "WarmupCosineLR";
  solver.base_lr_end = 0.001;
  EXPECT_FLOAT_EQ(learning_rate(solver, 45000), 0.001f + 0.5f * 0.019f);
  EXPECT_FLOAT_EQ(learning_rate(solver, 90000), 0.001f);
}

TEST(LearningRate, FixedGammaDropsAtEqualDistances) {
  SolverConfig solver = multi_step();
  solver.lr_scheduler_name = "WarmupStepWithFixedGammaLR";
  solver.num_decays = 3;
  EXPECT_FLOAT_EQ(learning_rate(solver, 22499), 0.02F);
  EXPECT_FLOAT_EQ(learning_rate(solver, 22500), 0.002F);
  EXPECT_FLOAT_EQ(learning_rate(solver, 45000), 0.0002F);
  EXPECT_FLOAT_EQ(learning_rate(solver, 89999), 0.00002F);
}

TEST(LearningRate, RescaledIntervalFollowsTheWarmup) {
  SolverConfig solver = multi_step();
  solver.rescale_interval = true;
  EXPECT_FLOAT_EQ(learning_rate(solver, 1000), 0.02F);
  // Two thirds of the 89,000 iterations after the warm-up.
  EXPECT_FLOAT_EQ(learning_rate(solver, 60333), 0.02F);
  EXPECT_FLOAT_EQ(learning_rate(solver, 60334), 0.002F);
}

// Detectron's: base 0.01, 40,000 iterations, no warm-up unless said.
SolverConfig detectron(const char* policy) {
  SolverConfig solver;
  solver.lr_scheduler_name = policy;
  solver.base_lr = 0.01;
  solver.max_iter = 40000;
  solver.steps = {0, 20000, 30000};
  solver.lrs = {0.01, 0.003, 0.0001};
  solver.step_size = 15000;
  solver.warmup_iters = 0;
  return solver;
}

TEST(LearningRate, DetectronsPolicies) {
  struct Row {
    const char* policy;
    std::int64_t step;
    double rate;
  };
  const Row rows[] = {
      {"step", 0, 0.01},
      {"step", 14999, 0.01},
      {"step", 15000, 0.001},
      {"step", 30000, 0.0001},
      {"steps_with_decay", 0, 0.01},
      {"steps_with_decay", 19999, 0.01},
      {"steps_with_decay", 20000, 0.001},
      {"steps_with_decay", 39999, 0.0001},
      {"steps_with_decay", 50000, 0.0001},  // past the end: the last step's
      {"steps_with_lrs", 19999, 0.01},
      {"steps_with_lrs", 20000, 0.003},
      {"steps_with_lrs", 30000, 0.0001},
      {"cosine_decay", 0, 0.01},
      {"cosine_decay", 10000, 0.008535533905932738},
      {"cosine_decay", 20000, 0.005},
      {"cosine_decay", 39999, 1.542125e-11},
      {"exp_decay", 0, 0.01},
      {"exp_decay", 20000, 0.0031622776601683794},
      {"exp_decay", 40000, 0.001},
  };
  for (const Row& row : rows) {
    const float found = learning_rate(detectron(row.policy), row.step);
    EXPECT_NEAR(found / row.rate, 1, 1e-5) << row.policy << " " << row.step;
  }
}

TEST(LearningRate, DetectronsWarmupMultipliesThePolicy) {
  SolverConfig solver = detectron("steps_with_decay");
  solver.base_lr = 0.02;
  solver.warmup_iters = 500;
  solver.warmup_factor = 1.0 / 3.0;
  EXPECT_NEAR(learning_rate(solver, 0), 0.0066667, 1e-7);
  EXPECT_NEAR(learning_rate(solver, 120), 0.0098667, 1e-7);
  EXPECT_NEAR(learning_rate(solver, 240), 0.0130667, 1e-7);
  EXPECT_NEAR(learning_rate(solver, 500), 0.02, 1e-7);
  solver.warmup_method = "constant";
  EXPECT_NEAR(learning_rate(solver, 499), 0.0066667, 1e-7);
  // Within the warm-up the policy goes on; Detectron2 would rise towards its value at the end.
  solver = detectron("cosine_decay");
  solver.warmup_iters = 20000;
  solver.warmup_factor = 0.5;
  EXPECT_NEAR(learning_rate(solver, 10000), 0.75 * 0.008535533905932738, 1e-9);
}

TEST(MomentumCorrection, FollowsJumpsOfTheRate) {
  SolverConfig solver;
  solver.update_rule = "detectron";
  EXPECT_FLOAT_EQ(momentum_correction(solver, 0.02F, 0.002F), 0.1F);
  EXPECT_FLOAT_EQ(momentum_correction(solver, 0.002F, 0.02F), 10.F);
  EXPECT_EQ(momentum_correction(solver, 0.02F, 0.0201F), 1.F);  // a step of the warm-up
  EXPECT_EQ(momentum_correction(solver, 0.F, 0.02F), 1.F);      // the first rate
  EXPECT_EQ(momentum_correction(solver, 1e-7F, 0.02F), 1.F);
  EXPECT_EQ(momentum_correction(solver, 0.02F, 0.F), 0.F);
  solver.scale_momentum_threshold = 20;
  EXPECT_EQ(momentum_correction(solver, 0.02F, 0.002F), 1.F);
  solver.scale_momentum_threshold = 1.1;
  solver.scale_momentum = false;
  EXPECT_EQ(momentum_correction(solver, 0.02F, 0.002F), 1.F);
  solver.scale_momentum = true;
  solver.update_rule = "detectron2";  // the rate is outside the velocity
  EXPECT_EQ(momentum_correction(solver, 0.02F, 0.002F), 1.F);
}

TEST(CheckSchedule, NamesWhatAPolicyLacks) {
  const auto error = [](const SolverConfig& solver) { return error_of([&] { check_schedule(solver); }); };
  EXPECT_EQ(error(multi_step()), "no error");
  for (const char* policy : {"step", "steps_with_decay", "steps_with_lrs", "cosine_decay", "exp_decay"}) {
    EXPECT_EQ(error(detectron(policy)), "no error");
  }
  SolverConfig solver = multi_step();
  solver.lr_scheduler_name = "Step";
  EXPECT_EQ(error(solver), "SOLVER.LR_SCHEDULER_NAME: found 'Step', wanted a learning-rate policy of docs/config.md");
  solver = multi_step();
  solver.base_lr = 0;
  EXPECT_EQ(error(solver), "SOLVER.BASE_LR: found 0, wanted a rate above 0");
  solver = multi_step();
  solver.steps = {0, 100};
  EXPECT_EQ(error(solver),
            "SOLVER.STEPS: found 0 as the first step, wanted steps after the start; only Detectron's "
            "policies begin with 0");
  solver = multi_step();
  solver.lr_scheduler_name = "WarmupCosineLR";
  solver.base_lr_end = 0.5;
  EXPECT_EQ(error(solver), "SOLVER.BASE_LR_END: found 0.5, wanted at most SOLVER.BASE_LR (0.02)");
  solver.lr_scheduler_name = "WarmupStepWithFixedGammaLR";
  solver.num_decays = 0;
  solver.gamma = 0;
  EXPECT_EQ(error(solver),
            "the schedule: 2 problems\n  SOLVER.NUM_DECAYS: found 0, wanted at least 1\n"
            "  SOLVER.GAMMA: found 0, wanted a factor above 0");
  solver = detectron("step");
  solver.step_size = 0;
  EXPECT_EQ(error(solver), "SOLVER.STEP_SIZE: found 0 with the policy step, wanted the iterations between drops");
  solver = detectron("exp_decay");
  solver.gamma = 0;
  EXPECT_EQ(error(solver), "SOLVER.GAMMA: found 0, wanted a factor above 0");
  solver = detectron("steps_with_lrs");
  solver.steps = {10};
  solver.rescale_interval = true;
  EXPECT_EQ(
      error(solver),
      "the schedule: 3 problems\n"
      "  SOLVER.RESCALE_INTERVAL: found true with Detectron's policy steps_with_lrs, wanted false; only Detectron2's "
      "policies can follow the warm-up\n"
      "  SOLVER.STEPS: found 10 first, wanted 0 as the first step with the policy steps_with_lrs, as in "
      "[0, 60000, 80000]\n"
      "  SOLVER.LRS: found 3 rates, wanted one for each of the 1 SOLVER.STEPS");
  solver = detectron("steps_with_decay");
  solver.steps.clear();
  EXPECT_EQ(error(solver),
            "SOLVER.STEPS: found none, wanted 0 as the first step with the policy steps_with_decay, as in "
            "[0, 60000, 80000]");
}

TEST(ScheduleWarnings, NameWhatIsHardlyMeant) {
  EXPECT_THAT(schedule_warnings(multi_step()), IsEmpty());
  EXPECT_THAT(schedule_warnings(detectron("steps_with_decay")), IsEmpty());
  SolverConfig solver = multi_step();
  solver.max_iter = 80000;
  EXPECT_THAT(schedule_warnings(solver), ElementsAre("SOLVER.STEPS holds 80000, which has no effect: training ends at "
                                                     "SOLVER.MAX_ITER 80000"));
  solver = multi_step();
  solver.warmup_iters = 90000;
  EXPECT_THAT(
      schedule_warnings(solver),
      ElementsAre("SOLVER.WARMUP_ITERS 90000 takes the whole training of 90000 iterations; the learning rate does "
                  "not reach SOLVER.BASE_LR 0.02"));
  solver.warmup_iters = 70000;
  EXPECT_THAT(schedule_warnings(solver),
              ElementsAre("SOLVER.WARMUP_ITERS 70000 reaches past the step of SOLVER.STEPS at "
                          "60000; the learning rate rises and drops at once"));
}

}  // namespace
}  // namespace lockstep
