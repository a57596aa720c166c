// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/test_input.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

TEST(TestInput, ResizesNormalisesAndPads) {
  TestInputOptions options;
  options.min_size = 60;
  options.max_size = 90;
  options.normalize.mean = {5, 5, 5};
  Image image(40, 30);
  std::fill(image.bgr.begin(), image.bgr.end(), std::uint8_t{105});
  const TestInput input = make_test_input(image, options);
  EXPECT_EQ(input.data.shape(), (Shape{1, 3, 64, 96}));
  const float* info = input.im_info.data<float>();
  EXPECT_EQ(info[0], 60);
  EXPECT_EQ(info[1], 80);
  EXPECT_EQ(info[2], 2);
  EXPECT_EQ(input.data.data<float>()[79], 100);
  EXPECT_EQ(input.data.data<float>()[80], 0);
  EXPECT_EQ(input.original, (ImageSize{40, 30}));
}

}  // namespace
}  // namespace lockstep
