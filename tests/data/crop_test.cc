// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/crop.h"

#include <gtest/gtest.h>

#include <set>

#include "data/data_test_util.h"
#include "lockstep/base/philox.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

GroundTruthBox box(float x1, float y1, float x2, float y2) { return {x1, y1, x2, y2, 0, false, 0, 0}; }

double area_of(const std::vector<GroundTruthBox>& boxes) {
  double area = 0;
  for (const GroundTruthBox& b : boxes) area += double{b.x2 - b.x1} * double{b.y2 - b.y1};
  return area;
}

struct Sizes {
  std::set<int> heights, widths;
  int most_x = 0, most_y = 0;
};

Sizes drawn(const CropOptions& options, ImageSize size, int draws = 2000) {
  Sizes sizes;
  for (std::int64_t s = 0; s < draws; ++s) {
    const CropWindow window = draw_crop(options, size, 3, s);
    EXPECT_GE(window.x, 0);
    EXPECT_GE(window.y, 0);
    EXPECT_LE(window.x + window.width, size.width);
    EXPECT_LE(window.y + window.height, size.height);
    sizes.heights.insert(window.height);
    sizes.widths.insert(window.width);
    sizes.most_x = std::max(sizes.most_x, window.x + window.width);
    sizes.most_y = std::max(sizes.most_y, window.y + window.height);
  }
  EXPECT_EQ(sizes.most_x, size.width);  // the windows reach the far edges
  EXPECT_EQ(sizes.most_y, size.height);
  return sizes;
}

TEST(DrawCrop, RelativeRoundsThePartOfEachSide) {
  const Sizes sizes = drawn({CropType::kRelative, 0.5, 0.3}, {11, 21});
  EXPECT_EQ(sizes.heights, std::set<int>{11});                                          // 10.5 + 0.5
  EXPECT_EQ(sizes.widths, std::set<int>{3});                                            // 3.3 + 0.5
  EXPECT_EQ(drawn({CropType::kRelative, 0.1, 0.1}, {1, 2}).heights, std::set<int>{1});  // never nothing
}

TEST(DrawCrop, RelativeRangeReachesFromThePartToAll) {
  const Sizes sizes = drawn({CropType::kRelativeRange, 0.5, 0.9}, {10, 8});
  EXPECT_EQ(sizes.heights, (std::set<int>{4, 5, 6, 7, 8}));
  EXPECT_EQ(sizes.widths, (std::set<int>{9, 10}));
}

TEST(DrawCrop, AbsoluteIsCutToTheImage) {
  EXPECT_EQ(drawn({CropType::kAbsolute, 6, 20}, {10, 8}).heights, std::set<int>{6});
  EXPECT_EQ(drawn({CropType::kAbsolute, 6, 20}, {10, 8}).widths, std::set<int>{10});
}

TEST(DrawCrop, AbsoluteRangeDrawsBothSidesFromOneRange) {
  const Sizes sizes = drawn({CropType::kAbsoluteRange, 6, 9}, {20, 7});
  EXPECT_EQ(sizes.heights, (std::set<int>{6, 7}));
  EXPECT_EQ(sizes.widths, (std::set<int>{6, 7, 8, 9}));
  EXPECT_EQ(drawn({CropType::kAbsoluteRange, 30, 40}, {20, 7}).widths, std::set<int>{20});
}

TEST(CropImage, TakesThePixelsOfTheWindow) {
  const Image image = noise_image(9, 7, 1);
  const Image part = crop_image(image, {2, 3, 5, 4});
  ASSERT_EQ(part.width, 5);
  ASSERT_EQ(part.height, 4);
  for (int y = 0; y < 4; ++y) {
    for (int i = 0; i < 15; ++i) EXPECT_EQ(part.row(y)[i], image.row(y + 3)[6 + i]);
  }
}

TEST(CropBoxes, MovesClipsAndRemoves) {
  std::vector<GroundTruthBox> boxes = {box(1, 1, 6, 6), box(0, 0, 2, 9), box(3, 4, 4, 5), box(8, 1, 9, 9)};
  crop_boxes(boxes, {2, 3, 5, 4});
  ASSERT_EQ(boxes.size(), 2u);  // the second ends where the window starts, the last lies right of it
  EXPECT_EQ(boxes[0].x1, 0);
  EXPECT_EQ(boxes[0].y1, 0);
  EXPECT_EQ(boxes[0].x2, 4);
  EXPECT_EQ(boxes[0].y2, 3);
  EXPECT_EQ(boxes[1].x1, 1);
  EXPECT_EQ(boxes[1].y2, 2);
}

// The four crops of a picture cut at a random point hold each box's area exactly once.
TEST(CropBoxes, NeitherLosesNorInventsArea) {
  PhiloxStream random(5, 0, philox_key("crop test"));
  const auto below = [&](int n) { return static_cast<int>(random.below(static_cast<std::uint32_t>(n))); };
  for (int trial = 0; trial < 2000; ++trial) {
    const int width = 2 + below(60), height = 2 + below(60);
    std::vector<GroundTruthBox> boxes;
    for (int i = 0; i < 5; ++i) {
      // Quarters of pixels are exact in float, and so are their areas.
      const int x = below(4 * width), y = below(4 * height);
      const int w = 1 + below(4 * width - x), h = 1 + below(4 * height - y);
      boxes.push_back(box(0.25F * static_cast<float>(x), 0.25F * static_cast<float>(y),
                          0.25F * static_cast<float>(x + w), 0.25F * static_cast<float>(y + h)));
    }
    const int cut_x = 1 + below(width - 1), cut_y = 1 + below(height - 1);
    double area = 0;
    for (const CropWindow window :
         {CropWindow{0, 0, cut_x, cut_y}, CropWindow{cut_x, 0, width - cut_x, cut_y},
          CropWindow{0, cut_y, cut_x, height - cut_y}, CropWindow{cut_x, cut_y, width - cut_x, height - cut_y}}) {
      std::vector<GroundTruthBox> part = boxes;
      crop_boxes(part, window);
      area += area_of(part);
    }
    ASSERT_EQ(area, area_of(boxes)) << "trial " << trial;
  }
}

TEST(CheckCropOptions, NamesTheKeyAndWhatIsWanted) {
  const auto text = [](CropType type, double first, double second) {
    return error_of(ErrorKind::kConfig, [&] { check_crop_options({type, first, second}); });
  };
  EXPECT_THAT(text(CropType::kRelative, 0, 0.5), HasSubstr("INPUT.CROP.SIZE is [0, 0.5]; wanted parts above 0"));
  EXPECT_THAT(text(CropType::kRelativeRange, 0.5, 300), HasSubstr("up to 1"));
  EXPECT_THAT(text(CropType::kAbsolute, 0.5, 300), HasSubstr("wanted pixels, at least 1"));
  EXPECT_THAT(text(CropType::kAbsoluteRange, 600, 300), HasSubstr("the smaller size first"));
}

}  // namespace
}  // namespace lockstep
