// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/report.h"

#include "eval/eval_test_support.h"

namespace lockstep {
namespace {

CocoStats stats_of(bool with_truth) {
  EvalGroundTruth truth;
  truth.image_ids = {1};
  truth.categories = {{1, "cat"}, {2, "a \"dog\""}};
  if (with_truth) truth.annotations = {{1, 1, 1, 0, 0, 50, 50, 2500, false}};
  return evaluate_boxes(truth, {{1, 1, 0, 0, 50, 50, 0.5}});
}

TEST(Report, TableSaysWhatIsUndefined) {
  const std::string text = coco_table(stats_of(true));
  EXPECT_THAT(text,
              testing::HasSubstr(" Average Precision (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 1.000\n"));
  EXPECT_THAT(text, testing::HasSubstr(
                        " Average Recall    (AR) @[ IoU=0.50:0.95 | area= large | maxDets=100 ] = n/a (0 GT)\n"));
  EXPECT_THAT(text, testing::HasSubstr(" a \"dog\"   n/a (0 GT)  n/a (0 GT)        0"));
  EXPECT_THAT(text, testing::HasSubstr("means are over the 1 of 2 categories"));
  EXPECT_THAT(coco_table(stats_of(false)),
              testing::HasSubstr("no ground truth: AP is undefined; all 1 detections are false positives"));
}

TEST(Report, JsonHasNullForUndefined) {
  const std::string text = coco_stats_json(stats_of(true));
  EXPECT_THAT(text, testing::StartsWith("{\"AP\":0.99999"));
  EXPECT_THAT(text, testing::HasSubstr("\"APs\":null,"));
  EXPECT_THAT(text, testing::HasSubstr(
                        "{\"id\":2,\"name\":\"a \\\"dog\\\"\",\"AP\":null,\"AP50\":null,\"boxes\":0,\"crowds\":0,"));
}

}  // namespace
}  // namespace lockstep
