// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/yolo_reader.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/yolo_label.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

class YoloReader : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"train/images/deep", "train/labels/deep", "valid/images"}) {
      std::filesystem::create_directories(dir_.file(folder));
    }
    picture("train/images/b.jpg");
    picture("train/images/deep/c.jpg");
    picture("valid/images/a.jpg");
    dir_.write("train/labels/b.txt", "1 0.5 0.5 0.2 0.4\n");
    dir_.write("train/labels/deep/c.txt", "0 0.1 0.1 0.1 0.1\n");
    dir_.write("valid/a.txt", "");
    yaml_ = dir_.write("data.yaml", "path: .\ntrain: train/images\nval: valid/images\nnames:\n  0: cat\n  1: dog\n");
  }
  void picture(const std::string& name) { write_file(dir_.file(name), encode_jpeg(Image(100, 50), 90)); }
  Dataset read(const std::string& split) {
    DataReport report;
    return read_yolo(yaml_, split, report);
  }
  TempDir dir_;
  std::string yaml_;
};

TEST_F(YoloReader, ReadsPartsOfTheImageSize) {
  const Dataset set = read("train");
  ASSERT_EQ(set.images.size(), 2u);
  EXPECT_EQ(set.images[0].path, dir_.file("train/images/b.jpg"));
  EXPECT_EQ(set.images[1].path, dir_.file("train/images/deep/c.jpg"));
  const GroundTruthBox& box = set.images[0].boxes.at(0);
  EXPECT_FLOAT_EQ(box.x1, 40);
  EXPECT_FLOAT_EQ(box.x2, 60);
  EXPECT_FLOAT_EQ(box.y1, 15);
  EXPECT_FLOAT_EQ(box.y2, 35);
  EXPECT_EQ(set.categories[static_cast<std::size_t>(box.class_index)].name, "dog");
  EXPECT_EQ(set.categories[1].id, 1);
}

TEST_F(YoloReader, TakesImagesWithoutLabelsAsBackground) {
  EXPECT_EQ(read("val").images.size(), 1u);
  EXPECT_EQ(read("valid").images.size(), 1u);  // as Roboflow calls it
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { read("test"); }), HasSubstr("has no split 'test'"));
}

TEST_F(YoloReader, TakesNamesByteByByte) {
  const std::string name = "\xED\x95\x9C (2) 100%.v1";  // Korean, blanks, brackets, a percent sign, a second dot
  picture("valid/images/" + name + ".jpg");
  std::filesystem::create_directories(dir_.file("valid/labels"));
  dir_.write("valid/labels/" + name + ".txt", "0 0.5 0.5 0.1 0.1");
  const Dataset set = read("val");
  ASSERT_EQ(set.images.size(), 2u);
  EXPECT_EQ(set.images[1].boxes.size(), 1u);
}

TEST_F(YoloReader, ReadsLists) {
  dir_.write("list.txt", "./train/images/b.jpg\n" + dir_.file("valid/images/a.jpg") + "\n");
  yaml_ = dir_.write("list.yaml", "train: list.txt\nnames: [cat, dog]\n");
  const Dataset set = read("train");
  ASSERT_EQ(set.images.size(), 2u);
  EXPECT_EQ(set.images[0].boxes.size(), 1u);
}

TEST_F(YoloReader, NamesAMissingPictureAndDropsADamagedOne) {
  dir_.write("list.txt", "train/images/b.jpg\ntrain/images/none.jpg\n");
  yaml_ = dir_.write("list.yaml", "train: list.txt\nnames: [cat, dog]\n");
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { read("train"); }),
              HasSubstr(dir_.file("train/images/none.jpg") + ": does not exist"));
  dir_.write("train/images/none.jpg", "no picture");
  DataReport report;
  EXPECT_EQ(read_yolo(yaml_, "train", report).images.size(), 1u);
  EXPECT_EQ(report.count(Rule::kFileUndecodable), 1);
}

TEST_F(YoloReader, FindsLabelsWithoutPictures) {
  dir_.write("train/labels/lost.txt", "");
  DataReport report(DataReport::Mode::kCollect);
  read_yolo(yaml_, "train", report);
  EXPECT_EQ(report.count(Rule::kYoloLabelWithoutImage), 1);
}

TEST(YoloLabel, TakesTheBoxAroundAPolygon) {
  const YoloLabel label = parse_yolo_label("2 0.1 0.9 0.5 0.2 0.3 0.4", 3);
  EXPECT_EQ(label.problem, "");
  EXPECT_TRUE(label.polygon);
  EXPECT_EQ(label.class_index, 2u);
  EXPECT_EQ(label.x1, 0.1);
  EXPECT_EQ(label.y1, 0.2);
  EXPECT_EQ(label.x2, 0.5);
  EXPECT_EQ(label.y2, 0.9);
}

}  // namespace
}  // namespace lockstep
