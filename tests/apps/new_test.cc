// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "apps/tiny_world.h"

namespace lockstep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Three commands from a folder of pictures to drawn predictions, for every kind of folder.
class Newcomer : public TinyWorld {
 protected:
  std::vector<fs::path> pictures() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path("data/images"))) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  }
  void three_commands(const std::string& folder) {
    const Ended made = lockstep({"new", folder, "--time", "1s", "--out", "mine.yaml"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("lockstep train --config-file mine.yaml"));
    const Ended trained = lockstep({"train", "--config-file", "mine.yaml"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_THAT(read("run/mine/metrics.jsonl"), HasSubstr("AP"));
    predict_one("run/mine");
  }
  void predict_one(const std::string& run) {
    const Ended predicted =
        lockstep({"predict", "--weights", run, "--score", "0", "--draw", "drawn", pictures()[0].string()});
    ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
    EXPECT_TRUE(exists("drawn/" + pictures()[0].stem().string() + ".png"));
  }
};

TEST_F(Newcomer, WithCoco) {
  three_commands("data");
  EXPECT_THAT(read("mine.yaml"), HasSubstr("instances_val.json"));
  EXPECT_THAT(read("mine.yaml"), HasSubstr("BASE_LR: 0.01"));
  EXPECT_THAT(lockstep({"new", "data", "--out", "mine.yaml"}).last_line(), HasSubstr("nothing is overwritten"));
}

TEST_F(Newcomer, WithVocAndNoTestPart) {
  fs::create_directories(path("voc"));
  for (const fs::path& file : pictures()) {
    fs::copy_file(file, path("voc") / file.filename());
    write("voc/" + file.stem().string() + ".xml",
          "<annotation><object><name>thing</name><bndbox><xmin>20</xmin><ymin>20</ymin><xmax>90</xmax><ymax>90</ymax>"
          "</bndbox></object></annotation>");
  }
  three_commands("voc");
  EXPECT_TRUE(exists("mine_train.json") && exists("mine_val.json"));
  EXPECT_THAT(read("mine.yaml"), HasSubstr("0.2 of it, chosen by the pictures' names"));
}

TEST_F(Newcomer, WithYoloAsRoboflowExportsIt) {
  int number = 0;
  for (const fs::path& file : pictures()) {
    const std::string part = ++number % 4 == 0 ? "yolo/valid" : "yolo/train";
    fs::create_directories(path(part) / "images");
    fs::create_directories(path(part) / "labels");
    fs::copy_file(file, path(part) / "images" / file.filename());
    write(part + "/labels/" + file.stem().string() + ".txt", "0 0.5 0.5 0.4 0.4\n");
  }
  write("yolo/data.yaml", "train: ../train/images\nval: ../valid/images\n\nnc: 1\nnames: ['thing']\n");
  three_commands("yolo");
  EXPECT_THAT(read("mine.yaml"), HasSubstr("data.yaml:val"));
  EXPECT_EQ(lockstep({"eval", "run/mine"}).exit_code, 0);
}

TEST_F(Newcomer, WithYolo) {
  int number = 0;
  for (const fs::path& file : pictures()) {
    const std::string part = ++number % 4 == 0 ? "val" : "train";
    fs::create_directories(path("yolo/images/" + part));
    fs::create_directories(path("yolo/labels/" + part));
    fs::copy_file(file, path("yolo/images/" + part) / file.filename());
    write("yolo/labels/" + part + "/" + file.stem().string() + ".txt", "0 0.5 0.5 0.4 0.4\n1 0.2 0.2 0.3 0.3\n");
  }
  write("yolo/data.yaml", "path: .\ntrain: images/train\nval: images/val\nnames:\n  0: cat\n  1: dog\n");
  three_commands("yolo");
}

TEST_F(Newcomer, WithRoboflowsCocoLayout) {
  for (const auto& [part, file] :
       {std::pair("train", "data/instances_train.json"), std::pair("valid", "data/instances_val.json")}) {
    fs::create_directories(path("export") / part);
    fs::copy_file(path(file), path("export") / part / "_annotations.coco.json");
    for (const fs::path& picture : pictures()) fs::copy_file(picture, path("export") / part / picture.filename());
  }
  three_commands("export");
  EXPECT_THAT(read("mine.yaml"), HasSubstr("export/valid/_annotations.coco.json"));
}

// A recipe in Detectron2's own form, whose data have a name of their own; small, so that it trains in a second.
TEST_F(Newcomer, WithADetectron2Recipe) {
  write("Base-RCNN-FPN.yaml", R"(MODEL:
  META_ARCHITECTURE: "GeneralizedRCNN"
  BACKBONE:
    NAME: "build_resnet_fpn_backbone"
  RESNETS:
    OUT_FEATURES: ["res2", "res3", "res4", "res5"]
  FPN:
    IN_FEATURES: ["res2", "res3", "res4", "res5"]
  ANCHOR_GENERATOR:
    SIZES: [[32], [64], [128], [256], [512]]
    ASPECT_RATIOS: [[0.5, 1.0, 2.0]]
  RPN:
    IN_FEATURES: ["p2", "p3", "p4", "p5", "p6"]
    PRE_NMS_TOPK_TRAIN: 2000
    PRE_NMS_TOPK_TEST: 1000
  ROI_HEADS:
    NAME: "StandardROIHeads"
    IN_FEATURES: ["p2", "p3", "p4", "p5"]
  ROI_BOX_HEAD:
    NAME: "FastRCNNConvFCHead"
    NUM_FC: 2
    POOLER_RESOLUTION: 7
VERSION: 2
)");
  write("mine.yaml", R"(_BASE_: "Base-RCNN-FPN.yaml"
MODEL:
  PIXEL_STD: [57.375, 57.12, 58.395]
  RESNETS: {DEPTH: 18, NORM: "GN", STRIDE_IN_1X1: False, RES2_OUT_CHANNELS: 64}
  BACKBONE: {FREEZE_AT: 0}
  FPN: {NORM: "GN", OUT_CHANNELS: 32}
  ROI_BOX_HEAD: {FC_DIM: 32}
  ROI_HEADS: {NUM_CLASSES: 4}
DATASETS:
  TRAIN: ("shapes_train",)
  TEST: ("shapes_val",)
  CATALOG:
    shapes_train: "coco:data/instances_train.json:data/images"
    shapes_val: "coco:data/instances_val.json:data/images"
DATALOADER:
  SAMPLER_TRAIN: "RepeatFactorTrainingSampler"
  REPEAT_THRESHOLD: 0.5
INPUT:
  CROP: {ENABLED: True, TYPE: "relative_range", SIZE: [0.5, 0.5]}
  MIN_SIZE_TRAIN: (64, 96)
  MIN_SIZE_TEST: 64
SOLVER:
  IMS_PER_BATCH: 4
  BASE_LR: 0.01
  STEPS: (4,)
  MAX_ITER: 6
  WARMUP_ITERS: 2
)");
  const Ended trained = lockstep({"train", "--config-file", "mine.yaml", "--out", "run/mine"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(read("run/mine/metrics.jsonl"), HasSubstr("AP"));
  predict_one("run/mine");
}

TEST_F(Newcomer, IsToldWhatIsWrong) {
  EXPECT_THAT(lockstep({"new", "--out", "a.yaml"}).last_line(), HasSubstr("wants one data set"));
  EXPECT_THAT(lockstep({"new", "data"}).last_line(), HasSubstr("--out mine.yaml"));
  EXPECT_THAT(lockstep({"new", "data", "--out", "a.yaml", "--time", "soon"}).last_line(),
              HasSubstr("30m, 2h or 1h30m"));
  EXPECT_THAT(lockstep({"new", "data/images", "--out", "a.yaml"}).last_line(), HasSubstr("found no annotations"));
  EXPECT_FALSE(exists("a.yaml"));
}

}  // namespace
}  // namespace lockstep::test
