// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/lr_schedule.h"

#include <gtest/gtest.h>

#include "lockstep/base/error.h"

namespace lockstep {
namespace {

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

TEST(CheckSchedule, RefusesWhatCannotBeFollowed) {
  SolverConfig solver = multi_step();
  EXPECT_NO_THROW(check_schedule(solver));
  solver.steps = {80000, 60000};
  EXPECT_THROW(check_schedule(solver), Error);
  solver = multi_step();
  solver.lr_scheduler_name = "Step";
  EXPECT_THROW(check_schedule(solver), Error);
}

}  // namespace
}  // namespace lockstep
