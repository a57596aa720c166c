// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/voc_reader.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

std::string voc_xml(const std::string& name, int xmin, int ymin, int xmax, int ymax) {
  return fmt::format(
      "<annotation><size><width>100</width><height>50</height></size><object><name>{}</name><bndbox><xmin>{}</xmin>"
      "<ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox></object></annotation>",
      name, xmin, ymin, xmax, ymax);
}

class VocReader : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"Annotations", "JPEGImages", "ImageSets/Main"}) {
      std::filesystem::create_directories(dir_.file(folder));
    }
    dir_.write("Annotations/one.xml", voc_xml("dog", 11, 21, 30, 40));
    dir_.write("Annotations/two.xml", voc_xml("cat", 1, 1, 100, 50));
    dir_.write("JPEGImages/one.JPG", "");
    dir_.write("JPEGImages/two.png", "");
    dir_.write("ImageSets/Main/train.txt", "\xEF\xBB\xBFone\r\n");
    dir_.write("ImageSets/Main/val.txt", "two  1\n");
    dir_.write("ImageSets/Main/dog_train.txt", "one 1\n");
  }
  Dataset read(const std::string& split) {
    DataReport report;
    return read_voc(dir_.path(), split, report);
  }
  TempDir dir_;
};

TEST_F(VocReader, ReadsCornersAsDetectron2Does) {
  const Dataset set = read("train");
  ASSERT_EQ(set.images.size(), 1u);
  EXPECT_EQ(set.images[0].path, dir_.file("JPEGImages/one.JPG"));
  EXPECT_EQ(set.images[0].width, 100);
  const GroundTruthBox& box = set.images[0].boxes.at(0);
  EXPECT_EQ(box.x1, 10);
  EXPECT_EQ(box.y1, 20);
  EXPECT_EQ(box.x2, 30);
  EXPECT_EQ(box.y2, 40);
  EXPECT_EQ(box.area, 400);
  EXPECT_EQ(box.class_index, 1);
}

TEST_F(VocReader, HasTheClassesOfAllSplits) {
  EXPECT_EQ(category_names(read("train").categories), (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(category_names(read("val").categories), (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(read("").images.size(), 2u);
}

TEST_F(VocReader, ListsItsSplitsWithoutThoseOfClasses) {
  EXPECT_EQ(voc_splits(dir_.path()), (std::vector<std::string>{"train", "val"}));
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { read("test"); }), HasSubstr("found train and val"));
}

TEST_F(VocReader, NamesAListedImageWithoutAnnotation) {
  dir_.write("ImageSets/Main/train.txt", "one\nthree\n");
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { read("train"); }),
              ::testing::AllOf(HasSubstr("'three' of " + dir_.file("ImageSets/Main/train.txt")),
                               HasSubstr("has no annotation file " + dir_.file("Annotations/three.xml"))));
}

TEST_F(VocReader, CountsFromZeroWhenABoxStartsThere) {
  dir_.write("Annotations/two.xml", voc_xml("cat", 0, 0, 99, 49));
  const Dataset set = read("train");
  EXPECT_EQ(set.images[0].boxes.at(0).x1, 11);
  EXPECT_EQ(set.images[0].boxes.at(0).x2, 30);
}

TEST_F(VocReader, ReadsRoboflowsLayout) {
  const TempDir& dir = dir_;
  for (const char* split : {"rf/train", "rf/valid"}) {
    std::filesystem::create_directories(dir.file(split));
    dir.write(std::string(split) + "/a.xml", voc_xml(split[3] == 't' ? "dog" : "cat", 5, 5, 9, 9));
    dir.write(std::string(split) + "/a.jpg", "");
  }
  DataReport report;
  const Dataset set = read_voc(dir.file("rf"), "valid", report);
  ASSERT_EQ(set.images.size(), 1u);
  EXPECT_EQ(set.images[0].path, dir.file("rf/valid/a.jpg"));
  EXPECT_EQ(set.categories.size(), 2u);
  EXPECT_EQ(voc_splits(dir.file("rf")), (std::vector<std::string>{"train", "valid"}));
}

}  // namespace
}  // namespace lockstep
