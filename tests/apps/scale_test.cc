// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "apps/program.h"

namespace lockstep::test {
namespace {

using testing::HasSubstr;

Ended scale(std::vector<std::string> arguments, const std::string& recipe = "@bccd") {
  arguments.insert(arguments.begin(), {"scale", "--config-file", recipe});
  return run_lockstep(testing::TempDir(), arguments);
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& text) {
  const Ended ended = scale(arguments);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr(text));
  EXPECT_EQ(ended.out, "");
}

TEST(Scale, ShowsReferenceScaledExactAndRule) {
  const Ended ended = scale({"--reference", "2", "--workers", "3", "--images", "255"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("made for 2 workers"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("SOLVER.MAX_ITER +2600 +1733 +1733.3333 +x 2/3\n"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("images seen +10400 +10398\n"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("epochs +40.78 +40.78\n"));
}

TEST(Scale, ComparesSeveralNumbersOfWorkers) {
  const Ended ended = scale({"--reference", "2", "--workers", "1,2,8,64", "--mode", "exact"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::ContainsRegex("1 worker +2 workers +8 workers +64 workers\n"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("SOLVER.MAX_ITER +2600 +5200 +2600 +650 +81\n"));
  EXPECT_THAT(ended.err, HasSubstr("64 workers: SOLVER.BASE_LR"));
}

TEST(Scale, PrintsARecipeThatScalesBack) {
  const Ended scaled = scale({"--reference", "2", "--workers", "6", "--mode", "exact", "--yaml"});
  ASSERT_EQ(scaled.exit_code, 0) << scaled.err;
  const std::string path = testing::TempDir() + "scale_test.yaml";
  std::ofstream(path) << scaled.out;
  const Ended back = scale({"--workers", "2", "--yaml"}, path);
  ASSERT_EQ(back.exit_code, 0) << back.err;
  const Ended original = scale({"--reference", "2", "--workers", "2", "--mode", "exact", "--yaml"});
  EXPECT_EQ(back.out, original.out);
}

TEST(Scale, ResolvesEpochsWithTheNumberOfImages) {
  const Ended ended = scale({"--reference", "2", "--workers", "4", "--images", "400", "SOLVER.MAX_ITER", "0",
                             "SOLVER.MAX_EPOCHS", "10", "SOLVER.STEPS", "[8ep]"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::ContainsRegex("SOLVER.STEPS +\\[800\\] +\\[400\\]"));
}

TEST(Scale, DrawsAndSpeaksJson) {
  const std::string plot = testing::TempDir() + "scale_test.svg";
  const Ended ended = scale({"--reference", "2", "--workers", "1,4", "--json", "--plot", plot});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("{\"reference\": 2, \"mode\": \"detectron2\", "));
  std::ostringstream svg;
  svg << std::ifstream(plot).rdbuf();
  EXPECT_THAT(svg.str(), HasSubstr(">1 worker</text>"));
  EXPECT_THAT(svg.str(), HasSubstr(">4 workers</text>"));
}

TEST(Scale, SaysWhatIsMissing) {
  expect_refused({"--workers", "3"},
                 "@bccd does not say for how many workers it was made (SOLVER.REFERENCE_WORLD_SIZE "
                 "is 0); say it by --reference N (Detectron2's own recipes: 8)");
  expect_refused({"--reference", "2"}, "for how many workers? Say it by --workers N");
  expect_refused({"--reference", "2", "--workers", "0"}, "found 0 workers, wanted at least 1");
  expect_refused({"--reference", "0", "--workers", "1"}, "--reference is 0; wanted at least 1");
  expect_refused({"--reference", "2", "--workers", "1", "--mode", "exactly"},
                 "--mode is 'exactly'; wanted detectron2 or exact");
  expect_refused({"--reference", "2", "--workers", "1,2", "--yaml"},
                 "--yaml prints one recipe; found 2 numbers of workers");
  expect_refused({"--reference", "2", "--workers", "1", "--yaml", "--json"},
                 "--yaml and --json are two forms of output");
  expect_refused({"--reference", "2", "--workers", "1", "--images", "0"}, "--images is 0; wanted at least 1");
  expect_refused(
      {"--reference", "2", "--workers", "1", "SOLVER.STEPS", "[8ep]", "DATASETS.TRAIN", "[]"},
      "SOLVER.STEPS counts epochs, and the number of training images is not known here; say it by --images N");
}

TEST(Scale, ShowsWhatTrainWouldRefuse) {
  const Ended ended = scale({"--reference", "2", "--workers", "64", "SOLVER.WARMUP_ITERS", "10"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.err,
              HasSubstr("SOLVER.WARMUP_ITERS: 10 became 0; `lockstep train` refuses that, SOLVER.SCALING exact "
                        "avoids it"));
}

}  // namespace
}  // namespace lockstep::test
