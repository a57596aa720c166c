// SPDX-License-Identifier: Apache-2.0
// What the program says to words it does not know, and that every command explains itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/program.h"

namespace lockstep::test {
namespace {

using testing::HasSubstr;

Ended lockstep(const std::vector<std::string>& words) { return run_lockstep(testing::TempDir(), words); }

void expect_refused(const std::vector<std::string>& words, const std::string& text) {
  const Ended ended = lockstep(words);
  EXPECT_EQ(ended.exit_code, 2) << ended.err;
  EXPECT_THAT(ended.last_line(), HasSubstr(text));
  EXPECT_EQ(ended.out, "");
}

TEST(CommandLine, EveryCommandHasHelpWithAnExample) {
  for (const char* command : {"train", "eval", "predict", "config", "scale", "net", "weights", "bench", "synth", "demo",
                              "doctor", "version"}) {
    const Ended ended = lockstep({command, "--help"});
    EXPECT_EQ(ended.exit_code, 0) << command;
    EXPECT_THAT(ended.out, HasSubstr(std::string("Usage: lockstep ") + command));
    EXPECT_THAT(ended.out, HasSubstr("Example:\n  lockstep "));
    EXPECT_EQ(ended.err, "");
  }
}

TEST(CommandLine, UnknownWordsAreNamedWithTheNearestKnownOne) {
  expect_refused({}, "no command; wanted one of new, train, eval");
  expect_refused({"trian"}, "'trian' is no command; did you mean train?");
  expect_refused({"train", "--confg-file", "x"}, "no flag --confg-file; did you mean --config-file?");
  expect_refused({"version", "now"}, "lockstep version has no use for 'now'");
  expect_refused({"weights"}, "wanted inspect");
  expect_refused({"bench"}, "wanted step, allreduce, loader or data");
  expect_refused({"synth", "never", "--seed", "-1"}, "--seed is -1; wanted 0 or more");
}

TEST(CommandLine, FlagsOfDetectron2NameTheFormUsedHere) {
  expect_refused({"train", "--num-gpus", "2"}, "--num-gpus is a flag of Detectron2; here it is: --workers N");
  expect_refused({"train", "--eval-only"}, "here it is: lockstep eval --config-file F --weights W");
  expect_refused({"train", "--dist-url=tcp://127.0.0.1"}, "--dist-url is a flag of Detectron2");
  expect_refused({"train", "--opts", "A", "1"}, "--opts is a flag of Detectron2; here it is: KEY VALUE pairs");
}

TEST(CommandLine, RecipesShippedWithTheProgramAreFoundByName) {
  expect_refused({"config", "--config-file", "@nothing"}, "no recipe '@nothing' in ");
  expect_refused({"config", "--config-file", "@nothing"}, "bccd, cards and demo");
  const Ended ended = lockstep({"config", "--config-file", "@demo", "--dump", "diff", "SOLVER.BASE_LR=0.25"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("BASE_LR: 0.25"));
}

TEST(CommandLine, VersionAndDoctorSpeakJson) {
  EXPECT_THAT(lockstep({"version", "--json"}).out, testing::StartsWith("{\"version\": \"0."));
  EXPECT_THAT(lockstep({"doctor", "--json"}).out, HasSubstr("{\"subject\": \"instruction set\", \"found\": \""));
}

}  // namespace
}  // namespace lockstep::test
