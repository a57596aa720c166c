// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/coco_json.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "eval/eval_test_support.h"

namespace lockstep {
namespace {

class CocoJsonTest : public testing::Test {
 protected:
  CocoJsonTest()
      : path_(std::filesystem::path(testing::TempDir()) /
              (std::string("lockstep_json_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~CocoJsonTest() override { std::filesystem::remove(path_); }
  std::filesystem::path with(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }
  std::filesystem::path path_;
};

TEST_F(CocoJsonTest, ReadsGroundTruth) {
  const EvalGroundTruth truth =
      read_coco_ground_truth(with("\xEF\xBB\xBF"
                                  R"({"images":[{"id":4}],"categories":[{"id":1,"name":"cat"}],"annotations":[
          {"id":1,"image_id":4,"category_id":1,"bbox":[1,2,3.5,4],"iscrowd":1,"area":9},
          {"id":2.0,"image_id":4,"category_id":1,"bbox":[0,0,2,3]}]})"));
  ASSERT_EQ(truth.annotations.size(), 2U);
  EXPECT_TRUE(truth.annotations[0].crowd);
  EXPECT_EQ(truth.annotations[0].area, 9);
  EXPECT_EQ(truth.annotations[0].w, 3.5);
  EXPECT_EQ(truth.annotations[1].id, 2);
  EXPECT_EQ(truth.annotations[1].area, 6);
  EXPECT_FALSE(truth.annotations[1].crowd);
  EXPECT_EQ(truth.categories[0].name, "cat");
}

TEST_F(CocoJsonTest, ResultsRoundTripExactly) {
  const std::vector<Detection> detections = {{1, 2, 0.1, 1.0 / 3, 1e-7, 1e9, 0.3F}, {1, 3, 0, 0, 5, 6, 1}};
  const std::string text = coco_results_json(detections);
  const std::vector<Detection> read = read_coco_results(with(text));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].y, 1.0 / 3);
  EXPECT_EQ(read[0].score, static_cast<double>(0.3F));
  EXPECT_EQ(coco_results_json(read), text);
  EXPECT_TRUE(read_coco_results(with(coco_results_json({}))).empty());
  expect_error(ErrorKind::kNumeric, "category 2 in image 1", [] { coco_results_json({{1, 2, 0, 0, 1, 1, NAN}}); });
}

TEST_F(CocoJsonTest, BadFilesAreNamed) {
  expect_error(ErrorKind::kData, "does not exist", [&] { read_coco_results("/absent/results.json"); });
  expect_error(ErrorKind::kData, "line and column 2:2, is not valid JSON: the file ends where a key",
               [&] { read_coco_results(with("[\n{")); });
  expect_error(ErrorKind::kData, "line and column 1:57, is not valid JSON: found 'NaN'",
               [&] { read_coco_results(with(R"([{"image_id":1,"category_id":1,"bbox":[0,0,1,1],"score":NaN}])")); });
  expect_error(ErrorKind::kData, "is not a list of results", [&] { read_coco_results(with("{}")); });
  expect_error(ErrorKind::kData, "results[0]: 'image_id' is missing or not a whole number",
               [&] { read_coco_results(with(R"([{"image_id":"a"}])")); });
  expect_error(ErrorKind::kData, "results[0]: 'bbox' is missing or not a list of four numbers",
               [&] { read_coco_results(with(R"([{"image_id":1,"category_id":1,"bbox":[1,2,3]}])")); });
  expect_error(ErrorKind::kData, "has no list 'images'", [&] { read_coco_ground_truth(with("{}")); });
  expect_error(ErrorKind::kData, "categories[0]: 'name' is missing",
               [&] { read_coco_ground_truth(with(R"({"images":[],"categories":[{"id":1}],"annotations":[]})")); });
}

}  // namespace
}  // namespace lockstep
