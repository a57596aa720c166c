// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/colour.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

Image two_pixels() {
  Image image(2, 1);
  image.bgr = {10, 100, 200, 60, 30, 20};  // blue, green, red; the mean is 70
  return image;
}

std::vector<std::uint8_t> changed(const ColourFactors& factors) {
  Image image = two_pixels();
  change_colours(image, factors);
  return image.bgr;
}

TEST(ChangeColours, MultipliesByTheBrightness) {
  EXPECT_EQ(changed({1.5, 1, 1}), (std::vector<std::uint8_t>{15, 150, 255, 90, 45, 30}));
}

TEST(ChangeColours, MovesTowardsTheMeanByTheContrast) {
  EXPECT_EQ(changed({1, 0.5, 1}), (std::vector<std::uint8_t>{40, 85, 135, 65, 50, 45}));
  EXPECT_EQ(changed({1, 2, 1}), (std::vector<std::uint8_t>{0, 130, 255, 50, 0, 0}));
}

TEST(ChangeColours, MovesTowardsEachPixelsGreyByTheSaturation) {
  // The greys are 0.299 * 200 + 0.587 * 100 + 0.114 * 10 = 119.64 and 30.43.
  EXPECT_EQ(changed({1, 1, 0}), (std::vector<std::uint8_t>{119, 119, 119, 30, 30, 30}));
  EXPECT_EQ(changed({1, 1, 0.5}), (std::vector<std::uint8_t>{64, 109, 159, 45, 30, 25}));
}

TEST(ChangeColours, FactorsOfOneChangeNothing) { EXPECT_EQ(changed({1, 1, 1}), two_pixels().bgr); }

TEST(DrawColours, StaysInItsRangesAndDependsOnSeedAndSample) {
  const ColourOptions options{{0.5, 1.5}, {1, 1}, {0, 2}};
  double least = 2, most = 0;
  for (std::int64_t s = 0; s < 1000; ++s) {
    const ColourFactors factors = draw_colours(options, 3, s);
    EXPECT_EQ(factors.brightness, draw_colours(options, 3, s).brightness);
    EXPECT_EQ(factors.contrast, 1);
    EXPECT_NE(factors.saturation / 2, factors.brightness - 0.5);  // drawn independently
    least = std::min(least, factors.brightness);
    most = std::max(most, factors.brightness);
  }
  EXPECT_GE(least, 0.5);
  EXPECT_LT(least, 0.52);
  EXPECT_LE(most, 1.5);
  EXPECT_GT(most, 1.48);
}

TEST(CheckColourOptions, NamesTheKey) {
  ColourOptions options;
  options.contrast = {1.5, 0.5};
  EXPECT_THAT(error_of(ErrorKind::kConfig, [&] { check_colour_options(options); }),
              ::testing::HasSubstr("INPUT.CONTRAST is the range 1.5 to 0.5"));
}

}  // namespace
}  // namespace lockstep
