// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "config/config_test_support.h"
#include "lockstep/config/support.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

std::string error(const std::string& text) {
  return error_of([&] { config_from_yaml(text, "a.yaml"); });
}
std::string override_error(const std::vector<std::string>& overrides) {
  return error_of([&] {
    Config config;
    apply_overrides(config, overrides);
  });
}

TEST(LoadConfig, FitsValuesToTheTypeOfTheKey) {
  const Config config = config_from_yaml(
      "SOLVER:\n"
      "  BASE_LR: 1e-3\n"
      "  WEIGHT_DECAY: 0\n"
      "  MAX_ITER: 9e4\n"
      "  STEPS: (60000, 8_0000)\n"
      "  IMS_PER_BATCH: '32'\n"
      "  WEIGHT_DECAY_BIAS: 0.5\n"
      "DATASETS:\n"
      "  TRAIN: (\"coco_2017_train\",)\n"
      "  TEST: coco:a.json:images\n"
      "MODEL:\n"
      "  MASK_ON: yes\n"
      "  ANCHOR_GENERATOR: {SIZES: [32, 64]}\n"
      "  RPN: {IN_FEATURES: ['p2', p3]}\n"
      "INPUT:\n");
  EXPECT_EQ(config.solver.base_lr, 1e-3);
  EXPECT_EQ(config.solver.weight_decay, 0.0);
  EXPECT_EQ(config.solver.max_iter, 90000);
  EXPECT_THAT(config.solver.steps, ElementsAre(60000, 80000));
  EXPECT_EQ(config.solver.ims_per_batch, 32);
  EXPECT_EQ(config.solver.weight_decay_bias, 0.5);
  EXPECT_THAT(config.datasets.train, ElementsAre("coco_2017_train"));
  EXPECT_THAT(config.datasets.test, ElementsAre("coco:a.json:images"));
  EXPECT_TRUE(config.model.mask_on);
  EXPECT_THAT(config.model.anchor_generator.sizes, ElementsAre(ElementsAre(32, 64)));
  EXPECT_THAT(config.model.rpn.in_features, ElementsAre("p2", "p3"));
  EXPECT_TRUE(config.is_set("SOLVER.BASE_LR"));
  EXPECT_FALSE(config.is_set("SOLVER.GAMMA"));
}

TEST(LoadConfig, ReportsAllProblemsAtOnce) {
  EXPECT_EQ(error("SOLVER:\n"
                  "  BASE_LRR: 0.1\n"
                  "  MAX_ITER: many\n"
                  "  MOMENTUM: 2\n"
                  "  STEPS: [1, 2.5]\n"
                  "  WARMUP_METHOD: lineer\n"
                  "NUM_CLASSES: 3\n"
                  "MODEL: 3\n"),
            "a.yaml: 7 problems\n"
            "  a.yaml:2:3: SOLVER.BASE_LRR: there is no such key; nearest: SOLVER.BASE_LR\n"
            "  a.yaml:3:3: SOLVER.MAX_ITER: found the text 'many', wanted a whole number\n"
            "  a.yaml:4:3: SOLVER.MOMENTUM: found the whole number 2, wanted from 0.0 to 1.0\n"
            "  a.yaml:5:3: SOLVER.STEPS: found a list of 2, wanted a list of whole numbers of iterations, or epochs "
            "such as 8ep (item 1 is the number 2.5)\n"
            "  a.yaml:6:3: SOLVER.WARMUP_METHOD: found the text 'lineer', wanted one of linear and constant; nearest: "
            "linear\n"
            "  a.yaml:7:1: NUM_CLASSES: there is no such key; nearest: MODEL.ROI_HEADS.NUM_CLASSES\n"
            "  a.yaml:8:1: MODEL: found the whole number 3, wanted a section of keys");
}

TEST(LoadConfig, NeverLosesAnything) {
  EXPECT_EQ(error("SOLVER: {MAX_ITER: 1.5}"),
            "a.yaml:1:10: SOLVER.MAX_ITER: found the number 1.5, wanted a whole number");
  EXPECT_EQ(error("SOLVER: {MAX_ITER: true}"),
            "a.yaml:1:10: SOLVER.MAX_ITER: found the truth value true, wanted a whole number");
  EXPECT_EQ(error("SOLVER: {BASE_LR: null}"), "a.yaml:1:10: SOLVER.BASE_LR: found nothing (null), wanted a number");
  EXPECT_EQ(error("SOLVER: {BASE_LR: .nan}"),
            "a.yaml:1:10: SOLVER.BASE_LR: found the number .nan, wanted at least 0.0");
  EXPECT_EQ(error("SOLVER: {BASE_LR: .inf}"),
            "a.yaml:1:10: SOLVER.BASE_LR: found the number .inf, wanted at least 0.0");
  EXPECT_EQ(error("SOLVER: {BASE_LR: {A: 1}}"),
            "a.yaml:1:10: SOLVER.BASE_LR: found a mapping of 1 key, wanted a number");
  EXPECT_EQ(error("MODEL: {WEIGHTS: 123}"),
            "a.yaml:1:9: MODEL.WEIGHTS: found the whole number 123, wanted a text (put it in quotes)");
  EXPECT_EQ(error("MODEL: {MASK_ON: 1}"), "a.yaml:1:9: MODEL.MASK_ON: found the whole number 1, wanted true or false");
  EXPECT_EQ(
      error("MODEL: {RESNETS: {DEPTH: 5000000000}}"),
      "a.yaml:1:19: MODEL.RESNETS.DEPTH: found the whole number 5000000000, wanted a whole number of at most 32 bits");
  EXPECT_EQ(error("SOLVER: {BASE_LR: 9007199254740993}"),
            "a.yaml:1:10: SOLVER.BASE_LR: found the whole number 9007199254740993, wanted a number that a double holds "
            "exactly");
  EXPECT_EQ(error("MODEL: {RPN: {IN_FEATURES: p2}}"),
            "a.yaml:1:15: MODEL.RPN.IN_FEATURES: found the text 'p2', wanted a list of texts");
}

TEST(LoadConfig, FollowsBaseChainsRelativeToEachFile) {
  const TemporaryFolder folder;
  folder.write("base/root.yaml", "SOLVER: {BASE_LR: 0.5, GAMMA: 0.5}\nDATASETS: {CATALOG: {a: \"coco:x:y\"}}\n");
  folder.write("base/middle.yaml", "_BASE_: root.yaml\nSOLVER: {GAMMA: 0.25}\n");
  const std::string top = folder.write(
      "top.yaml", "DATASETS: {CATALOG: {b: \"coco:z:w\"}}\n_BASE_: base/middle.yaml\nSOLVER: {MOMENTUM: 0.8}\n");
  const Config config = load_config(top, {"SOLVER.GAMMA", "0.125", "DATASETS.CATALOG.a=coco:new:y"});
  EXPECT_EQ(config.solver.base_lr, 0.5);
  EXPECT_EQ(config.solver.gamma, 0.125);
  EXPECT_EQ(config.solver.momentum, 0.8);
  EXPECT_EQ(config.datasets.catalog.at("a"), "coco:new:y");
  EXPECT_EQ(config.datasets.catalog.at("b"), "coco:z:w");
}

TEST(LoadConfig, RefusesBrokenBaseChains) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.yaml", "_BASE_: b.yaml\n");
  folder.write("b.yaml", "\n_BASE_: a.yaml\n");
  const std::string dir = a.substr(0, a.rfind('/') + 1);
  EXPECT_EQ(error_of([&] { load_config(a); }),
            dir + "b.yaml:2:9: _BASE_ goes in a circle: a.yaml -> b.yaml -> a.yaml; remove one of the _BASE_ lines");
  const std::string missing = folder.write("missing.yaml", "_BASE_: gone.yaml\n");
  EXPECT_EQ(error_of([&] { load_config(missing); }),
            missing + ":1:9: there is no file '" + dir + "gone.yaml'; give the path of a config file");
  const std::string wrong = folder.write("wrong.yaml", "_BASE_: [a.yaml]\n");
  EXPECT_EQ(error_of([&] { load_config(wrong); }),
            wrong + ":1:9: _BASE_: found a list of 1, wanted the path of one config file");
  const std::string url = folder.write("url.yaml", "_BASE_: https://example.org/a.yaml\n");
  EXPECT_EQ(
      error_of([&] { load_config(url); }),
      url + ":1:9: _BASE_: found the address 'https://example.org/a.yaml', wanted a path; download the file first");
  EXPECT_THAT(error_of([&] { load_config(folder.write("x.yaml", "_BASE_: .\n")); }), HasSubstr("is a directory"));
  EXPECT_THAT(error_of([&] { load_config("/nowhere/a.yaml"); }), HasSubstr("there is no file '/nowhere/a.yaml'"));
}

TEST(LoadConfig, ReadsRegularFilesOfAConfigsSizeOnly) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { load_config("/dev/zero"); }),
            "'/dev/zero' is a device or a pipe, wanted a config file; write it to a file first");
  const std::string top = folder.write("top.yaml", "_BASE_: pipe\n");
  const std::string pipe = (std::filesystem::path(top).parent_path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { load_config(top); }),
            top + ":1:9: '" + pipe + "' is a device or a pipe, wanted a config file; write it to a file first");
  const std::string large = folder.write("large.yaml", "");
  std::filesystem::resize_file(large, std::uintmax_t{1} << 40U);  // sparse
  EXPECT_EQ(error_of([&] { load_config(large); }),
            "'" + large + "' has more than 1048576 bytes, wanted a config of at most that; is this a YAML file?");
}

TEST(LoadConfig, NamesTheBaseFileThatHoldsTheProblem) {
  const TemporaryFolder folder;
  folder.write("base.yaml", "SOLVER:\n  BASE_LR: fast\n");
  const std::string top = folder.write("top.yaml", "_BASE_: base.yaml\nSEED: x\n");
  const std::string text = error_of([&] { load_config(top, {"SEED"}); });
  EXPECT_THAT(text, HasSubstr("base.yaml:2:3: SOLVER.BASE_LR"));
  EXPECT_THAT(text, HasSubstr("top.yaml:2:1: SEED"));
  EXPECT_THAT(text, HasSubstr("override 1: found the key 'SEED' without a value"));
}

TEST(Overrides, TakeBothForms) {
  Config config;
  apply_overrides(config, {"SOLVER.BASE_LR", "1e-3", "SOLVER.STEPS=(1,2)", "MODEL.RPN.IN_FEATURES", "[p2, p3]",
                           "MODEL.WEIGHTS", "123", "OUTPUT_DIR=a=b", "SOLVER.WEIGHT_DECAY_BIAS", "None"});
  EXPECT_EQ(config.solver.base_lr, 1e-3);
  EXPECT_THAT(config.solver.steps, ElementsAre(1, 2));
  EXPECT_THAT(config.model.rpn.in_features, ElementsAre("p2", "p3"));
  EXPECT_EQ(config.model.weights, "123");
  EXPECT_EQ(config.output_dir, "a=b");
  EXPECT_TRUE(config.is_set("MODEL.WEIGHTS"));
}

TEST(Overrides, NameWhatIsWrong) {
  EXPECT_EQ(override_error({"SOLVER.BASE_LR:", "1"}),
            "override 1: SOLVER.BASE_LR:: there is no such key; write 'KEY VALUE' or 'KEY=VALUE', without ':'");
  EXPECT_EQ(override_error({"solver.base_lr=1"}),
            "override 1: solver.base_lr: there is no such key; nearest: SOLVER.BASE_LR (keys are in capitals)");
  EXPECT_EQ(override_error({"SOLVER.BASE_LR"}),
            "override 1: found the key 'SOLVER.BASE_LR' without a value, wanted KEY VALUE or KEY=VALUE");
  EXPECT_EQ(override_error({"SOLVER", "1"}),
            "override 1: SOLVER is a section, wanted a key; docs/config.md lists its keys");
  EXPECT_EQ(override_error({"OUTPUT_DIR=a\xE8"}),
            "override 1: found the byte 0xe8 at character 2, which is not UTF-8, wanted a text in UTF-8");
  EXPECT_EQ(override_error({"DATASETS.CATALOG.\xFF", "coco:a:b"}),
            "override 1: found the byte 0xff at character 18, which is not UTF-8, wanted a text in UTF-8");
  EXPECT_EQ(override_error({"SOLVER.MAX_ITER=x", "SOLVER.GAMMA=-1"}),
            "the overrides: 2 problems\n  override 1: SOLVER.MAX_ITER: found the text 'x', wanted a whole number\n  "
            "override 2: SOLVER.GAMMA: found the whole number -1, wanted at least 0.0");
}

TEST(Overrides, ChangeNothingWhenOneIsWrong) {
  Config config;
  EXPECT_ANY_THROW(apply_overrides(config, {"SOLVER.BASE_LR=0.5", "SOLVER.MAX_ITER=x"}));
  EXPECT_EQ(config.solver.base_lr, Config{}.solver.base_lr);
}

TEST(Recipes, ShippedRecipesLoadAndRun) {
  int recipes = 0;
  const auto folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "configs";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    const Config config = load_config(entry.path().string());
    EXPECT_NO_THROW(check_supported(config));
    EXPECT_FALSE(config.is_set("MODEL.ROI_HEADS.NUM_CLASSES")) << "the data decides the classes";
    EXPECT_TRUE(unused_values(config).empty());
    ++recipes;
  }
  EXPECT_GE(recipes, 3);
}

}  // namespace
}  // namespace lockstep
