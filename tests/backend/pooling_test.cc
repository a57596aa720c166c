// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/random_values.h"
#include "lockstep/backend/cpu/dnnl_ops.h"

namespace lockstep {
namespace {

TEST(MaxPool, TiesGoToTheFirstPositionOfTheWindow) {
  CpuDevice device;
  Tensor x(DType::kF32, {1, 2, 4, 4});
  std::fill_n(x.data<float>(), x.size(), 3.0f);
  for (const Layout layout : {Layout::kPlain, Layout::kNChw8c, Layout::kNChw16c}) {
    Tensor in, y, index, dx;
    convert_layout(x, layout, in);
    max_pool_forward(device, in, {2, 2, 0}, y, &index);
    const Tensor dy = random_values(y.shape(), 2);
    max_pool_backward(device, x.shape(), index, dy, {2, 2, 0}, dx);
    const std::vector<float> gradient = plain_values(dx);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const std::size_t row = i / 4 % 4, column = i % 4, channel = i / 16;
      const bool first = row % 2 == 0 && column % 2 == 0;
      EXPECT_EQ(gradient[i], first ? dy.data<float>()[channel * 4 + row / 2 * 2 + column / 2] : 0.0f) << i;
    }
  }
}

TEST(MaxPool, TheIndexIsThePositionInTheWindowPaddingCounted) {
  CpuDevice device;
  const Tensor x = Tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 9});
  Tensor y, index;
  max_pool_forward(device, x, {3, 2, 1}, y, &index);
  EXPECT_THAT(plain_values(y), testing::ElementsAre(9));
  EXPECT_EQ(index.data<std::uint8_t>()[0], 8);  // row 1, column 1 of the image is the window's last position
}

}  // namespace
}  // namespace lockstep
