// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/postprocess.h"

#include <cmath>

#include "eval/eval_test_support.h"

namespace lockstep {
namespace {

TEST(Postprocess, ScalesClipsAndDropsEmpty) {
  const NetworkInputSize network{100, 200};
  const auto inside = scale_to_original({10, 20, 30, 40}, network, 400, 50);
  ASSERT_TRUE(inside.has_value());
  EXPECT_EQ(inside->x1, 20);
  EXPECT_EQ(inside->y1, 10);
  EXPECT_EQ(inside->x2, 60);
  EXPECT_EQ(inside->y2, 20);
  const auto clipped = scale_to_original({-5, -5, 500, 500}, network, 400, 50);
  ASSERT_TRUE(clipped.has_value());
  EXPECT_EQ(clipped->x1, 0);
  EXPECT_EQ(clipped->x2, 400);
  EXPECT_EQ(clipped->y2, 50);
  EXPECT_FALSE(scale_to_original({220, 0, 230, 10}, network, 400, 50).has_value());  // right of the image
  EXPECT_FALSE(scale_to_original({NAN, 0, 230, 10}, network, 400, 50).has_value());
  expect_error(ErrorKind::kInternal, "a network input of 0x5 pixels", [] { scale_to_original({}, {5, 0}, 1, 1); });
}

TEST(Postprocess, CocoTerms) {
  const Detection detection = to_coco_detection({1, 2, 4, 8}, 0.5F, 77, 20);
  EXPECT_EQ(detection.image_id, 77);
  EXPECT_EQ(detection.category_id, 20);
  EXPECT_EQ(detection.x, 1);
  EXPECT_EQ(detection.w, 3);
  EXPECT_EQ(detection.h, 6);
  EXPECT_EQ(detection.score, 0.5);
}

}  // namespace
}  // namespace lockstep
