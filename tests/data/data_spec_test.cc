// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/data_spec.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

DataLocation locate(const std::string& data, const DataCatalog& catalog = {}, DataSplit split = DataSplit::kTrain) {
  return locate_data(data, catalog, split);
}

TEST(LocateData, SplitsTheCocoForm) {
  const DataLocation location = locate("coco:a/b.json:c d/images");
  EXPECT_EQ(location.annotations, "a/b.json");
  EXPECT_EQ(location.image_dir, "c d/images");
}

TEST(LocateData, LooksUpTheCatalog) {
  const DataCatalog catalog = {{"cells", "coco:x.json:y"}};
  EXPECT_EQ(locate("cells", catalog).annotations, "x.json");
  EXPECT_THAT(
      error_of(ErrorKind::kConfig, [&] { locate("celsl", catalog); }),
      AllOf(HasSubstr("'celsl' is not a data set; did you mean 'cells'?"), HasSubstr("coco:FILE.json:IMAGE_DIR")));
}

TEST(LocateData, KnowsTheBuiltinNames) {
  ::setenv("DETECTRON2_DATASETS", "/sets", 1);
  const DataLocation location = locate("coco_2017_val");
  ::unsetenv("DETECTRON2_DATASETS");
  EXPECT_EQ(location.annotations, "/sets/coco/annotations/instances_val2017.json");
  EXPECT_EQ(location.image_dir, "/sets/coco/val2017");
}

TEST(LocateData, SplitsTheVocAndYoloForms) {
  const DataLocation voc = locate("voc:a/VOC2007:trainval");
  EXPECT_EQ(voc.format, DataFormat::kVoc);
  EXPECT_EQ(voc.annotations, "a/VOC2007");
  EXPECT_EQ(voc.split, "trainval");
  EXPECT_EQ(to_text(voc), "voc:a/VOC2007:trainval");
  const DataLocation yolo = locate("yolo:a b/data.yaml:val");
  EXPECT_EQ(yolo.format, DataFormat::kYolo);
  EXPECT_EQ(yolo.annotations, "a b/data.yaml");
  EXPECT_EQ(yolo.split, "val");
  EXPECT_THAT(error_of(ErrorKind::kConfig, [] { locate("yolo:labels"); }), HasSubstr("yolo:data.yaml[:split]"));
  EXPECT_THAT(error_of(ErrorKind::kConfig, [] { locate("voc:"); }), HasSubstr("names no folder"));
}

TEST(LocateData, RecognisesTheFormatOfAFolder) {
  const TempDir dir;
  for (const char* folder : {"voc/train", "voc/valid", "yolo/train/images", "yolo/valid/images", "flat"}) {
    std::filesystem::create_directories(dir.file(folder));
  }
  const std::string xml = "<annotation><object><name>a</name></object></annotation>";
  dir.write("voc/train/1.xml", xml);
  dir.write("voc/valid/2.xml", xml);
  dir.write("flat/1.xml", xml);
  dir.write("yolo/data.yaml", "train: ../train/images\nval: ../valid/images\nnc: 1\nnames: ['a']\n");
  EXPECT_EQ(to_text(locate(dir.file("voc"))), "voc:" + dir.file("voc") + ":train");
  EXPECT_EQ(to_text(locate(dir.file("voc"), {}, DataSplit::kTest)), "voc:" + dir.file("voc") + ":valid");
  EXPECT_EQ(to_text(locate(dir.file("flat"), {}, DataSplit::kTest)), "voc:" + dir.file("flat"));
  EXPECT_EQ(to_text(locate(dir.file("yolo"))), "yolo:" + dir.file("yolo/data.yaml") + ":train");
  EXPECT_EQ(to_text(locate(dir.file("yolo"), {}, DataSplit::kTest)), "yolo:" + dir.file("yolo/data.yaml") + ":val");
}

TEST(LocateData, FindsTheSplitInAFolder) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("images"));
  dir.write("instances_train.json", "{}");
  EXPECT_EQ(locate(dir.path(), {}, DataSplit::kTest).annotations, dir.file("instances_train.json"));  // the only one
  dir.write("instances_val.json", "{}");
  EXPECT_EQ(locate(dir.path(), {}, DataSplit::kTest).annotations, dir.file("instances_val.json"));
  EXPECT_EQ(locate(dir.path()).annotations, dir.file("instances_train.json"));
  EXPECT_EQ(locate(dir.path()).image_dir, dir.file("images"));
}

TEST(LocateData, FindsRoboflowsLayout) {
  const TempDir dir;
  for (const char* split : {"train", "valid", "test"}) {
    std::filesystem::create_directories(dir.file(split));
    dir.write(std::string(split) + "/_annotations.coco.json", "{}");
  }
  EXPECT_EQ(locate(dir.path()).image_dir, dir.file("train"));
  EXPECT_EQ(locate(dir.path(), {}, DataSplit::kTest).annotations, dir.file("valid/_annotations.coco.json"));
}

TEST(LocateData, AsksWhenAFolderIsUnclear) {
  const TempDir dir;
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { locate(dir.path()); }), HasSubstr("found no annotations in the folder"));
  dir.write("instances_a.json", "{}");
  dir.write("instances_b.json", "{}");
  EXPECT_THAT(error_of(ErrorKind::kConfig, [&] { locate(dir.path()); }),
              AllOf(HasSubstr("holds 2 annotation files"), HasSubstr("instances_b.json")));
}

TEST(LoadDataset, MayRepeatImageIdsForTrainingOnly) {
  const TempDir dir;
  for (const char* name : {"a.json", "b.json"}) {
    dir.write(name, R"({"images": [{"id": 1, "file_name": "x.jpg", "width": 5, "height": 5}], "annotations": [],
                        "categories": [{"id": 1, "name": "cat"}]})");
  }
  const std::vector<std::string> both = {"coco:" + dir.file("a.json") + ":" + dir.file("a"),
                                         "coco:" + dir.file("b.json") + ":" + dir.file("b")};
  EXPECT_EQ(load_dataset(both, {}, DataSplit::kTrain).images.size(), 2u);
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { load_dataset(both, {}, DataSplit::kTest); }),
              HasSubstr("both have the id 1"));
}

TEST(LoadDataset, RefusesAnEmptyList) {
  EXPECT_THAT(error_of(ErrorKind::kConfig, [] { load_dataset({}, {}, DataSplit::kTrain); }),
              HasSubstr("DATASETS.TRAIN"));
}

}  // namespace
}  // namespace lockstep
