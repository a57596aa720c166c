// SPDX-License-Identifier: Apache-2.0
#include "lockstep/tensor/tensor.h"

#include <gtest/gtest.h>

#include <numeric>

#include "lockstep/base/error.h"

namespace lockstep {
namespace {

TEST(Tensor, ResizeKeepsMemoryThatIsLargeEnough) {
  Tensor tensor(DType::kF32, {4, 4});
  const void* memory = tensor.raw();
  tensor.resize(DType::kF32, {2, 3});
  EXPECT_EQ(tensor.raw(), memory);
  tensor.resize(DType::kF32, {100, 100});
  EXPECT_EQ(tensor.size(), 10000);
}

TEST(Tensor, BlockedLayoutPadsChannelsWithZeros) {
  std::vector<float> values(2 * 3 * 2 * 2);
  std::iota(values.begin(), values.end(), 1.0f);
  const Tensor plain = Tensor::from<float>({2, 3, 2, 2}, values);
  Tensor blocked;
  convert_layout(plain, Layout::kNChw8c, blocked);
  EXPECT_EQ(blocked.storage_size(), 2 * 8 * 2 * 2);
  EXPECT_EQ(blocked.data<float>()[0], 1.0f);  // n0 c0 y0 x0
  EXPECT_EQ(blocked.data<float>()[1], 5.0f);  // n0 c1 y0 x0
  EXPECT_EQ(blocked.data<float>()[3], 0.0f);  // padding
  EXPECT_EQ(blocked.data<float>()[8], 2.0f);  // n0 c0 y0 x1
  for (const Layout layout : {Layout::kNChw8c, Layout::kNChw16c}) {
    Tensor there, back;
    convert_layout(plain, layout, there);
    convert_layout(there, Layout::kPlain, back);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), back.data<float>()));
  }
}

TEST(Tensor, ReadingAsAnotherTypeIsAnError) {
  Tensor tensor(DType::kF32, {1});
  EXPECT_THROW(tensor.data<double>(), Error);
}

TEST(Tensor, TooLargeToAddressIsADeviceError) {
  try {
    Tensor tensor(DType::kF32, {1LL << 40, 1LL << 40});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDevice);
  }
}

TEST(Tensor, DescribeNamesTypeShapeAndLayout) {
  EXPECT_EQ(Tensor(DType::kI64, {3}).describe(), "i64[3]");
  EXPECT_EQ(Tensor(DType::kF32, {1, 8, 2, 2}, Layout::kNChw8c).describe(), "f32[1,8,2,2] nChw8c");
}

}  // namespace
}  // namespace lockstep
