// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/postprocess.h"

#include "eval/eval_test_support.h"

namespace lockstep {
namespace {

TEST(Postprocess, ScalesClipsAndDropsEmpty) {
  const std::vector<NetworkDetection> scaled = scale_to_image(
      {{10, 20, 30, 40, 0.9F, 1}, {-5, -5, 500, 500, 0.8F, 0}, {220, 0, 230, 10, 0.7F, 0}}, {100, 200}, {50, 400});
  ASSERT_EQ(scaled.size(), 2U);  // the third lies right of the image
  EXPECT_EQ(scaled[0].x0, 20);
  EXPECT_EQ(scaled[0].y0, 10);
  EXPECT_EQ(scaled[0].x1, 60);
  EXPECT_EQ(scaled[0].y1, 20);
  EXPECT_EQ(scaled[1].x0, 0);
  EXPECT_EQ(scaled[1].x1, 400);
  EXPECT_EQ(scaled[1].y1, 50);
}

TEST(Postprocess, CocoTerms) {
  const Detection detection = to_coco_detection({1, 2, 4, 8, 0.5F, 1}, 77, {10, 20});
  EXPECT_EQ(detection.image_id, 77);
  EXPECT_EQ(detection.category_id, 20);
  EXPECT_EQ(detection.w, 3);
  EXPECT_EQ(detection.h, 6);
  expect_error(ErrorKind::kInternal, "class index 2 of 2 classes", [] {
    to_coco_detection({0, 0, 1, 1, 1, 2}, 1, {10, 20});
  });
}

}  // namespace
}  // namespace lockstep
