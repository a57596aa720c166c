// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/training_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config_test_support.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/load.h"
#include "lockstep/config/resolve_epochs.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

Config with(const std::vector<std::string>& overrides) {
  Config config;
  apply_overrides(config, overrides);
  return config;
}

TEST(TrainingTime, ReadsAndPrintsEpochs) {
  EXPECT_EQ(parse_epochs("8ep"), TrainingTime::of_epochs(8));
  EXPECT_EQ(parse_epochs("0.5 ep"), TrainingTime::of_epochs(0.5));
  EXPECT_EQ(to_string(TrainingTime::of_epochs(8)), "8ep");
  EXPECT_EQ(to_string(TrainingTime::of_epochs(0.25)), "0.25ep");
  EXPECT_EQ(to_string(TrainingTime(8)), "8");
  for (const char* text : {"", "ep", "8", "8 epochs", "-1ep", "infep", "nanep", "1e999ep", "8epep", "+8ep"}) {
    EXPECT_FALSE(parse_epochs(text)) << text;
  }
}

TEST(TrainingTime, KeysTakeIterationsOrEpochs) {
  const Config config = with({"SOLVER.STEPS", "[8ep, 11ep]", "SOLVER.WARMUP_ITERS", "0.5ep", "TEST.EVAL_PERIOD", "1ep",
                              "SOLVER.CHECKPOINT_PERIOD", "500"});
  EXPECT_THAT(config.solver.steps, ElementsAre(TrainingTime::of_epochs(8), TrainingTime::of_epochs(11)));
  EXPECT_EQ(config.solver.warmup_iters, TrainingTime::of_epochs(0.5));
  EXPECT_EQ(config.solver.checkpoint_period, TrainingTime(500));
  EXPECT_THAT(keys_in_epochs(config), ElementsAre("SOLVER.STEPS", "SOLVER.WARMUP_ITERS", "TEST.EVAL_PERIOD"));
  const Config read_back = config_from_yaml(to_yaml(config));
  EXPECT_EQ(read_back.solver.steps, config.solver.steps);
  EXPECT_EQ(read_back.solver.warmup_iters, config.solver.warmup_iters);
}

TEST(TrainingTime, EpochsInATupleNeedNoQuotes) {
  for (const char* text : {"(8ep, 11.5ep)", "('8ep', \"11.5ep\")", "8ep, 11.5ep", "( 8ep , 11.5ep, )"}) {
    EXPECT_THAT(with({"SOLVER.STEPS", text}).solver.steps,
                ElementsAre(TrainingTime::of_epochs(8), TrainingTime::of_epochs(11.5)))
        << text;
  }
  EXPECT_THAT(error_of([] {
                with({"SOLVER.STEPS", "(8epochs, 11ep)"});
              }),
              HasSubstr("found the text '(8epochs, 11ep)'"));
}

TEST(TrainingTime, KeysRefuseOtherTexts) {
  EXPECT_THAT(
      error_of([] {
        with({"SOLVER.WARMUP_ITERS", "8 epochs"});
      }),
      HasSubstr("SOLVER.WARMUP_ITERS: found the text '8 epochs', wanted a whole number of iterations, or epochs "
                "such as 8ep"));
  EXPECT_THAT(
      error_of([] {
        with({"SOLVER.STEPS", "[8ep, x]"});
      }),
      HasSubstr("wanted a list of whole numbers of iterations, or epochs such as 8ep (item 1 is the text 'x')"));
  EXPECT_THAT(error_of([] { with({"SOLVER.WARMUP_ITERS", "-1"}); }), HasSubstr("SOLVER.WARMUP_ITERS"));
}

TEST(ResolveEpochs, CountsIterationsOfTheDataSet) {
  const Config config =
      with({"SOLVER.MAX_EPOCHS", "12", "SOLVER.STEPS", "[8ep, 11ep]", "SOLVER.WARMUP_ITERS", "0.001ep",
            "TEST.EVAL_PERIOD", "1ep", "SOLVER.CHECKPOINT_PERIOD", "0ep", "SOLVER.IMS_PER_BATCH", "16"});
  const Config resolved = resolve_epochs(config, 1000);  // 62.5 iterations an epoch
  EXPECT_EQ(resolved.solver.max_iter, 750);
  EXPECT_EQ(resolved.solver.max_epochs, 0);
  EXPECT_THAT(resolved.solver.steps, ElementsAre(500, 688));  // 687.5: half to even
  EXPECT_EQ(resolved.solver.warmup_iters, 1);                 // above 0 stays above 0
  EXPECT_EQ(resolved.test.eval_period, 62);                   // 62.5: half to even
  EXPECT_EQ(resolved.solver.checkpoint_period, 0);
  EXPECT_TRUE(keys_in_epochs(resolved).empty());
  EXPECT_EQ(to_yaml(resolve_epochs(resolved, 1000)), to_yaml(resolved));
}

TEST(ResolveEpochs, RefusesTwoLengthsAndEndlessOnes) {
  const std::string two =
      "SOLVER.MAX_EPOCHS: found 12 with SOLVER.MAX_ITER 500, wanted one length of the training; set SOLVER.MAX_ITER 0 "
      "to count epochs, or SOLVER.MAX_EPOCHS 0 to count iterations";
  const Config both = with({"SOLVER.MAX_EPOCHS", "12", "SOLVER.MAX_ITER", "500"});
  EXPECT_EQ(error_of([&] { resolve_epochs(both, 10); }), two);
  EXPECT_EQ(resolve_epochs(with({"SOLVER.MAX_EPOCHS", "12", "SOLVER.MAX_ITER", "0"}), 16).solver.max_iter, 12);
  EXPECT_EQ(error_of([] {
              resolve_epochs(with({"SOLVER.WARMUP_ITERS", "1e9ep"}), 160);
            }),
            "SOLVER.WARMUP_ITERS: found 1000000000 epochs of 10.0 iterations, wanted at most 1000000000 iterations");
}

}  // namespace
}  // namespace lockstep
