// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "config/config_test_support.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/load.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::TemporaryFolder;

class Environment : public ::testing::Test {
 protected:
  Environment() {
    setenv("LOCKSTEP_TEST_A", "/data", 1);
    setenv("LOCKSTEP_TEST_NESTED", "${LOCKSTEP_TEST_A}", 1);
    setenv("LOCKSTEP_TEST_EMPTY", "", 1);
    unsetenv("LOCKSTEP_TEST_UNSET");
  }
};

std::string expanded(std::string text) {
  const auto problem = expand_environment(text);
  return problem.value_or(text);
}

TEST_F(Environment, IsExpandedOnce) {
  EXPECT_EQ(expanded("${LOCKSTEP_TEST_A}/x${LOCKSTEP_TEST_A}"), "/data/x/data");
  EXPECT_EQ(expanded("a${LOCKSTEP_TEST_EMPTY}b"), "ab");
  EXPECT_EQ(expanded("${LOCKSTEP_TEST_NESTED}"), "${LOCKSTEP_TEST_A}");
  for (const char* text : {"", "$", "$HOME", "a$", "{HOME}", "$(HOME)", "a}b"}) EXPECT_EQ(expanded(text), text);
}

TEST_F(Environment, NamesWhatIsWrong) {
  EXPECT_EQ(expanded("a/${LOCKSTEP_TEST_UNSET}/b"),
            "found ${LOCKSTEP_TEST_UNSET}, but the environment has no variable LOCKSTEP_TEST_UNSET; set it");
  for (const char* text : {"${}", "${", "${A", "${1A}", "${A B}", "${A:-b}"}) {
    EXPECT_EQ(expanded(text), "found '" + std::string(text) +
                                  "', wanted ${NAME} with the name of an environment variable, or $${ for the two "
                                  "characters themselves");
  }
}

TEST_F(Environment, EscapesReadBack) {
  for (const char* text : {"${A}", "$${A}", "a${", "${${", "$", "$$", "plain"}) {
    EXPECT_EQ(expanded(escape_environment(text)), text);
  }
}

TEST_F(Environment, OnlyPathsAreExpanded) {
  const Config config = config_from_yaml(
      "OUTPUT_DIR: ${LOCKSTEP_TEST_A}/run\n"
      "FLOAT32_PRECISION: ${LOCKSTEP_TEST_UNSET}\n"
      "MODEL: {WEIGHTS: \"${LOCKSTEP_TEST_NESTED}\"}\n"
      "DATASETS:\n"
      "  TRAIN: (\"coco:${LOCKSTEP_TEST_A}/a.json:i\", \"b\")\n"
      "  TEST: voc:${LOCKSTEP_TEST_A}\n"
      "  CATALOG: {b: \"yolo:${LOCKSTEP_TEST_NESTED}\"}\n");
  EXPECT_EQ(config.output_dir, "/data/run");
  EXPECT_EQ(config.float32_precision, "${LOCKSTEP_TEST_UNSET}");
  EXPECT_EQ(config.model.weights, "${LOCKSTEP_TEST_A}");
  EXPECT_THAT(config.datasets.train, ElementsAre("coco:/data/a.json:i", "b"));
  EXPECT_THAT(config.datasets.test, ElementsAre("voc:/data"));
  Config changed = config;
  apply_overrides(changed, {"DATASETS.CATALOG.c", "${LOCKSTEP_TEST_A}", "OUTPUT_DIR=${LOCKSTEP_TEST_A}"});
  EXPECT_EQ(changed.datasets.catalog.at("b"), "yolo:${LOCKSTEP_TEST_A}") << "expanded twice";
  EXPECT_EQ(changed.datasets.catalog.at("c"), "/data");
  EXPECT_EQ(changed.output_dir, "/data");
  const Config back = config_from_yaml(to_yaml(changed));
  EXPECT_EQ(back.model.weights, changed.model.weights);
  EXPECT_EQ(back.datasets.catalog, changed.datasets.catalog);
}

TEST_F(Environment, ProblemsNameKeyAndPlace) {
  const std::string unset =
      "found ${LOCKSTEP_TEST_UNSET}, but the environment has no variable LOCKSTEP_TEST_UNSET; set it";
  EXPECT_EQ(error_of([] { config_from_yaml("DATASETS: {TRAIN: ['${LOCKSTEP_TEST_UNSET}']}", "a.yaml"); }),
            "a.yaml:1:12: DATASETS.TRAIN: " + unset);
  EXPECT_EQ(error_of([] {
              Config config;
              apply_overrides(config, {"DATASETS.CATALOG.a=${LOCKSTEP_TEST_UNSET}"});
            }),
            "override 1: DATASETS.CATALOG: " + unset);
}

TEST_F(Environment, BasePathsAreExpanded) {
  const TemporaryFolder folder;
  const std::string base = folder.write("base.yaml", "SEED: 7\n");
  setenv("LOCKSTEP_TEST_BASE", base.substr(0, base.rfind('/')).c_str(), 1);
  const std::string top = folder.write("top/top.yaml", "_BASE_: ${LOCKSTEP_TEST_BASE}/base.yaml\n");
  EXPECT_EQ(load_config(top).seed, 7);
  const std::string bad = folder.write("bad.yaml", "_BASE_: ${LOCKSTEP_TEST_UNSET}/base.yaml\n");
  EXPECT_EQ(error_of([&] { load_config(bad); }),
            bad +
                ":1:9: _BASE_: found ${LOCKSTEP_TEST_UNSET}, but the environment has no variable "
                "LOCKSTEP_TEST_UNSET; set it");
}

}  // namespace
}  // namespace lockstep
