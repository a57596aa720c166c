// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/coco_eval.h"

#include <cmath>

#include "eval/eval_test_support.h"
#include "lockstep/eval/numpy_math.h"

namespace lockstep {
namespace {

EvalGroundTruth two_images() {
  EvalGroundTruth truth;
  truth.image_ids = {7, 3};
  truth.categories = {{2, "dog"}, {1, "cat"}};
  truth.annotations = {{10, 3, 1, 0, 0, 50, 50, 2500, false}, {11, 7, 1, 10, 10, 200, 100, 20000, false}};
  return truth;
}

std::vector<Detection> as_detections(const EvalGroundTruth& truth) {
  std::vector<Detection> detections;
  for (const EvalAnnotation& a : truth.annotations) {
    detections.push_back({a.image_id, a.category_id, a.x, a.y, a.w, a.h, 0.5});
  }
  return detections;
}

TEST(CocoEval, GroundTruthAgainstItselfIsPerfect) {
  const EvalGroundTruth truth = two_images();
  const CocoStats stats = evaluate_boxes(truth, as_detections(truth));
  EXPECT_NEAR(stats.ap(), 1, 1e-12);
  EXPECT_NEAR(stats.values[4], 1, 1e-12);  // the 50x50 box is medium
  EXPECT_EQ(stats.values[3], -1);          // no small box
  EXPECT_EQ(stats.values[8], 1);
  ASSERT_EQ(stats.categories.size(), 2U);
  EXPECT_EQ(stats.categories[0].name, "cat");
  EXPECT_NEAR(stats.categories[0].ap, 1, 1e-12);
  EXPECT_EQ(stats.categories[1].ap, -1);  // no dog: undefined, and not in the mean
  EXPECT_EQ(stats.ground_truths, 2);
}

TEST(CocoEval, NoDetectionsIsZeroAndNoGroundTruthIsUndefined) {
  EvalGroundTruth truth = two_images();
  EXPECT_EQ(evaluate_boxes(truth, {}).ap(), 0);
  EXPECT_EQ(evaluate_boxes(truth, {}).values[8], 0);
  const std::vector<Detection> detections = as_detections(truth);
  truth.annotations.clear();
  for (const double value : evaluate_boxes(truth, detections).values) EXPECT_EQ(value, -1);
  for (const double value : evaluate_boxes({}, {}).values) EXPECT_EQ(value, -1);
}

TEST(CocoEval, HalfOfTheBoxesFound) {
  const EvalGroundTruth truth = two_images();
  const CocoStats stats = evaluate_boxes(truth, {as_detections(truth)[0]});
  EXPECT_NEAR(stats.ap(), 51.0 / 101.0, 1e-12);  // recall points 0 .. 0.50
  EXPECT_EQ(stats.values[6], 0.5);
}

TEST(CocoEval, CrowdsTakeAnyNumberOfDetections) {
  EvalGroundTruth truth = two_images();
  truth.annotations.push_back({12, 3, 1, 100, 100, 100, 100, 10000, true});
  std::vector<Detection> detections = as_detections(two_images());
  for (int i = 0; i < 5; ++i) detections.push_back({3, 1, 110.0 + i, 110, 20, 20, 0.9});
  EXPECT_NEAR(evaluate_boxes(truth, detections).ap(), 1, 1e-12);
  truth.annotations.pop_back();
  EXPECT_LT(evaluate_boxes(truth, detections).ap(), 0.5);
}

TEST(CocoEval, LimitsAreHonouredAndReported) {
  EvalGroundTruth truth;
  truth.image_ids = {1};
  truth.categories = {{1, "grain"}};
  for (int i = 0; i < 120; ++i) truth.annotations.push_back({i + 1, 1, 1, 20.0 * i, 0, 10, 10, 100, false});
  const std::vector<Detection> detections = as_detections(truth);
  const CocoStats usual = evaluate_boxes(truth, detections);
  EXPECT_EQ(usual.values[8], 100.0 / 120.0);
  EXPECT_EQ(usual.images_over_limit, 1);
  EvalOptions options;
  options.max_detections = {1, 10, 300};
  EXPECT_EQ(evaluate_boxes(truth, detections, options).values[8], 1);
  EXPECT_EQ(evaluate_boxes(truth, detections, options).images_over_limit, 0);
}

TEST(CocoEval, BadRecordsAreNamed) {
  EvalGroundTruth truth = two_images();
  expect_error(ErrorKind::kData, "results: record 0 (counted from 0) has image id 5, which is not among the 2 images",
               [&] {
                 evaluate_boxes(truth, {{5, 1, 0, 0, 1, 1, 0.5}});
               });
  expect_error(ErrorKind::kData, "has category id 0, which is not among the categories of the ground truth (ids 1, 2)",
               [&] {
                 evaluate_boxes(truth, {{3, 0, 0, 0, 1, 1, 0.5}});
               });
  expect_error(ErrorKind::kData, "has a box or score that is not finite", [&] {
    evaluate_boxes(truth, {{3, 1, NAN, 0, 1, 1, 0.5}});
  });
  expect_error(ErrorKind::kData, "has a box or score that is not finite", [&] {
    evaluate_boxes(truth, {{3, 1, 0, 0, 1, 1, INFINITY}});
  });
  truth.annotations[1].id = 10;
  expect_error(ErrorKind::kData, "annotation id 10 occurs twice", [&] { evaluate_boxes(truth, {}); });
  EvalOptions options;
  options.max_detections = {10, 1, 100};
  expect_error(ErrorKind::kConfig, "three ascending numbers", [&] { evaluate_boxes(two_images(), {}, options); });
}

TEST(NumpyMath, LinspaceIsNotPlainMultiplication) {
  const std::vector<double> ious = numpy_linspace(0.5, 0.95, 10);
  EXPECT_EQ(ious[5], 0.75);
  EXPECT_EQ(ious[3], 0.65);
  EXPECT_EQ(ious[9], 0.95);
  EXPECT_EQ(numpy_mean({}), -1);
  // 1,000 times 0.1 added left to right gives 99.9999999999986; numpy's pairwise blocks give this mean.
  EXPECT_EQ(numpy_mean(std::vector<double>(1000, 0.1)), 0.10000000000000002);
}

}  // namespace
}  // namespace lockstep
