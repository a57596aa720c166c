// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/config/load.h"
#include "lockstep/config/value.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

TEST(Dump, DiffHoldsOnlyWhatDiffers) {
  EXPECT_EQ(diff_yaml(Config{}), "# every key has its default\n");
  Config config;
  apply_overrides(config, {"SOLVER.BASE_LR=1e-5", "SOLVER.STEPS=(1, 2)", "MODEL.FPN.IN_FEATURES=[res2]", "SEED=7",
                           "MODEL.ROI_HEADS.NUM_CLASSES=80"});
  EXPECT_EQ(diff_yaml(config),
            "SEED: 7\n"
            "MODEL:\n"
            "  FPN:\n"
            "    IN_FEATURES: [res2]\n"
            "  ROI_HEADS:\n"
            "    NUM_CLASSES: 80\n"
            "SOLVER:\n"
            "  BASE_LR: 1.0e-05\n"
            "  STEPS: [1, 2]\n");
}

TEST(Dump, FullDumpKeepsClassesUnset) {
  const std::string text = to_yaml(Config{});
  EXPECT_THAT(text, HasSubstr("    # NUM_CLASSES: 80  (not set)\n"));
  const Config back = config_from_yaml(text);
  EXPECT_FALSE(back.is_set("MODEL.ROI_HEADS.NUM_CLASSES"));
  EXPECT_TRUE(back.is_set("SOLVER.BASE_LR"));
  EXPECT_EQ(to_yaml(back), text);
}

TEST(Dump, CommentsHoldTheMeaning) {
  const std::string text = to_yaml(Config{}, DumpComments::kDocs);
  EXPECT_THAT(text, HasSubstr("  # Learning rate after the warm-up.\n  BASE_LR: 0.001\n"));
  EXPECT_EQ(to_yaml(config_from_yaml(text)), to_yaml(Config{}));
}

TEST(Dump, TextsReadBackAsTheyWere) {
  for (const char* text : {"",
                           "yes",
                           "n",
                           "1",
                           "1e-3",
                           "010",
                           "12:30",
                           "~",
                           "null",
                           "a b",
                           "a: b",
                           "a #b",
                           "-",
                           "- a",
                           "'a'",
                           "\"q\"",
                           "back\\slash",
                           "tab\there",
                           "line\nbreak",
                           "caf\xC3\xA9",
                           "(1, 2)",
                           "None",
                           "{a}",
                           "[a]",
                           "&a",
                           "*a",
                           "!t",
                           "%d",
                           "@x",
                           "`x`",
                           "...",
                           "---",
                           "<<",
                           "=",
                           "C:\\x",
                           "detectron2://a/b.pkl",
                           "./output",
                           " lead",
                           "trail ",
                           "'a' 'b'",
                           "'a\\\\b\\'c'",
                           "'''x\ny'''",
                           "\x01"}) {
    Config config;
    config.model.weights = text;
    EXPECT_EQ(config_from_yaml(to_yaml(config)).model.weights, text);
  }
}

TEST(Dump, NumbersReadBackAsTheyWere) {
  for (const double number : {0.0, 0.1, 1e-5, 1e22, 0.037500000000000006, 5e-324, 1e300, 123456789.0}) {
    Config config;
    config.solver.base_lr = number;
    EXPECT_EQ(config_from_yaml(to_yaml(config)).solver.base_lr, number);
  }
  EXPECT_EQ(number_text(0.037500000000000006), "0.037500000000000006");
  EXPECT_EQ(number_text(2), "2.0");
  EXPECT_EQ(number_text(1e-5), "1.0e-05");
  EXPECT_EQ(number_text(1e22), "1.0e+22");
}

}  // namespace
}  // namespace lockstep
