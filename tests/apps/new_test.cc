// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

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
    const Ended predicted =
        lockstep({"predict", "--weights", "run/mine", "--score", "0", "--draw", "drawn", pictures()[0].string()});
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
