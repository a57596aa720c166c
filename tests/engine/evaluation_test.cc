// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "engine/small_run.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/eval/coco_json.h"

namespace lockstep {
namespace {

// Crowds, boxes that leave their image or have no size, boxes marked as ignored, and fractions that floats round.
constexpr const char* kOddBoxes = R"({
  "categories": [{"id": 3, "name": "cat"}, {"id": 8, "name": "dog"}],
  "images": [{"id": 5, "file_name": "a.jpg", "width": 100, "height": 80},
             {"id": 6, "file_name": "b.jpg", "width": 100, "height": 80}],
  "annotations": [
    {"id": 10, "image_id": 5, "category_id": 3, "bbox": [-20, 10, 60, 30], "area": 1800, "iscrowd": 0},
    {"id": 11, "image_id": 5, "category_id": 3, "bbox": [50.1, 40.3, 20.7, 20.9], "area": 400, "iscrowd": 0},
    {"id": 12, "image_id": 5, "category_id": 3, "bbox": [0, 50, 40, 25], "area": 1000, "iscrowd": 1},
    {"id": 13, "image_id": 6, "category_id": 8, "bbox": [10, 10, 0, 20], "area": 0, "iscrowd": 0},
    {"id": 14, "image_id": 6, "category_id": 8, "bbox": [30, 30, 20, 20], "area": 400, "iscrowd": 0, "ignore": 1},
    {"id": 15, "image_id": 6, "category_id": 8, "bbox": [60, 60, 60, 60], "area": 3600, "iscrowd": 0}]})";

class Evaluation : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }
  EvalGroundTruth truth_of(const std::vector<std::string>& data) {
    DatasetsConfig names;
    names.test = data;
    return evaluation_ground_truth(names, load_dataset(data, {}, DataSplit::kTest));
  }
  TemporaryFolder folder_;
};

TEST_F(Evaluation, OfARunIsThatOfTheFile) {
  const std::string path = write("odd.json", kOddBoxes);
  const std::vector<Detection> detections = {
      {5, 3, -18, 10, 58, 30, 0.9}, {5, 3, 50, 40, 21, 21, 0.8}, {5, 3, 3, 52, 30, 20, 0.7}, {5, 3, 5, 55, 30, 20, 0.6},
      {6, 8, 30, 30, 20, 20, 0.5},  {6, 8, 61, 61, 58, 57, 0.4}, {6, 3, 1, 1, 9, 9, 0.3}};
  const CocoStats run = evaluate_boxes(truth_of({"coco:" + path + ":images"}), detections);
  const CocoStats file = evaluate_boxes(read_coco_ground_truth(path), detections);
  EXPECT_GT(file.ap(), 0);
  EXPECT_EQ(run.values, file.values);
  EXPECT_EQ(run.ground_truths, file.ground_truths);
}

// Detections have the categories of the training data; the ids of the test file may be others.
TEST_F(Evaluation, PairsClassesByName) {
  const std::string path = write("odd.json", kOddBoxes);
  DatasetsConfig names;
  names.test = {"coco:" + path + ":images"};
  Dataset dataset = load_dataset(names.test, {}, DataSplit::kTest);
  map_to_categories(dataset, {{3, "dog"}, {9, "bird"}, {12, "cat"}}, "training");
  const EvalGroundTruth truth = evaluation_ground_truth(names, dataset);
  ASSERT_EQ(truth.annotations.size(), 6u);
  EXPECT_EQ(truth.annotations[0].category_id, 12);
  EXPECT_EQ(truth.annotations[5].category_id, 3);
  EXPECT_EQ(truth.categories.size(), 3u);
}

TEST_F(Evaluation, JoinsSeveralDataSets) {
  std::string other = kOddBoxes;
  for (const char* id : {"\"id\": 5", "\"image_id\": 5"}) {
    while (other.find(id) != std::string::npos) other.replace(other.find(id) + std::string(id).size() - 1, 1, "7");
  }
  for (const char* id : {"\"id\": 6,", "\"image_id\": 6"}) {
    while (other.find(id) != std::string::npos) other.replace(other.find(id) + std::string(id).find('6'), 1, "9");
  }
  const EvalGroundTruth truth =
      truth_of({"coco:" + write("a.json", kOddBoxes) + ":images", "coco:" + write("b.json", other) + ":images"});
  EXPECT_EQ(truth.image_ids, (std::vector<std::int64_t>{5, 6, 7, 9}));
  ASSERT_EQ(truth.annotations.size(), 12u);
  std::set<std::int64_t> ids;
  for (const EvalAnnotation& one : truth.annotations) ids.insert(one.id);
  EXPECT_EQ(ids.size(), 12u);
  EXPECT_FALSE(ids.contains(0));
  EXPECT_EQ(evaluate_boxes(truth, {}).ground_truths, 10);
}

// What training mends, evaluation needs not refuse.
TEST_F(Evaluation, TakesTheReadersBoxesWhereTheFileLacksThem) {
  const std::string path = write("mended.json", R"({
    "categories": [{"id": 3, "name": "cat"}], "images": [{"id": 5, "file_name": "a", "width": 100, "height": 80}],
    "annotations": [{"image_id": 5, "category_id": 3, "segmentation": [[1, 1, 9, 1, 9, 7]]}]})");
  const EvalGroundTruth truth = truth_of({"coco:" + path + ":images"});
  ASSERT_EQ(truth.annotations.size(), 1u);
  EXPECT_EQ(truth.annotations[0].w, 8);
  EXPECT_EQ(truth.annotations[0].id, 1);
}

}  // namespace
}  // namespace lockstep
