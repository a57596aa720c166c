// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/exif.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"
#include "data/exif_test_util.h"
#include "lockstep/data/image_decode.h"

namespace lockstep {
namespace {

// A 2 x 3 picture whose pixels are numbered 0..5 in reading order.
Image numbered() {
  Image image(2, 3);
  for (std::size_t i = 0; i < image.bgr.size(); ++i) image.bgr[i] = static_cast<std::uint8_t>(i / 3);
  return image;
}

std::vector<int> pixels(const Image& image) {
  std::vector<int> values;
  for (std::size_t i = 0; i < image.bgr.size(); i += 3) values.push_back(image.bgr[i]);
  return values;
}

// Expected values from Pillow's ImageOps.exif_transpose.
TEST(ApplyOrientation, TurnsLikePillow) {
  const std::vector<std::vector<int>> expected = {{0, 1, 2, 3, 4, 5}, {1, 0, 3, 2, 5, 4}, {5, 4, 3, 2, 1, 0},
                                                  {4, 5, 2, 3, 0, 1}, {0, 2, 4, 1, 3, 5}, {4, 2, 0, 5, 3, 1},
                                                  {5, 3, 1, 4, 2, 0}, {1, 3, 5, 0, 2, 4}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Image upright = apply_orientation(numbered(), orientation);
    EXPECT_EQ(upright.width, orientation >= 5 ? 3 : 2);
    EXPECT_EQ(pixels(upright), expected[static_cast<std::size_t>(orientation - 1)]) << orientation;
  }
}

TEST(ReadExifOrientation, ReadsBothByteOrders) {
  const std::vector<std::uint8_t> plain = encode_jpeg(noise_image(8, 8, 1), 90);
  EXPECT_EQ(read_exif_orientation(plain), 1);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    for (const bool big_endian : {false, true}) {
      EXPECT_EQ(read_exif_orientation(with_orientation(plain, orientation, big_endian)), orientation);
    }
  }
}

TEST(ReadExifOrientation, DamagedDataIsOrientationOne) {
  const std::vector<std::uint8_t> file = with_orientation(encode_jpeg(noise_image(8, 8, 1), 90), 6, true);
  for (std::size_t size = 0; size < 60; ++size) {
    const int orientation = read_exif_orientation(std::span(file).first(size));
    EXPECT_TRUE(orientation == 1 || orientation == 6);
  }
  EXPECT_EQ(read_exif_orientation(with_orientation(encode_jpeg(noise_image(8, 8, 1), 90), 9, false)), 1);
}

TEST(ShouldApplyOrientation, DecidesByTheAnnotatedSize) {
  EXPECT_TRUE(should_apply_orientation({20, 10}, 6, {10, 20}, "p"));
  EXPECT_FALSE(should_apply_orientation({20, 10}, 6, {20, 10}, "p"));
  EXPECT_TRUE(should_apply_orientation({20, 10}, 6, {}, "p"));
  EXPECT_TRUE(should_apply_orientation({20, 10}, 3, {20, 10}, "p"));
  EXPECT_FALSE(should_apply_orientation({20, 10}, 1, {20, 10}, "p"));
  EXPECT_THAT(error_of(ErrorKind::kData,
                       [] {
                         should_apply_orientation({20, 10}, 1, {40, 20}, "p.jpg");
                       }),
              ::testing::HasSubstr("image p.jpg is 20 x 10 pixels, but its annotation says 40 x 20"));
}

}  // namespace
}  // namespace lockstep
