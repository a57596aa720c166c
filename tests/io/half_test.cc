// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/half.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

TEST(Half, KnownValues) {
  EXPECT_EQ(float_from_f16(0x3C00), 1.0F);
  EXPECT_EQ(float_from_f16(0xC000), -2.0F);
  EXPECT_EQ(float_from_f16(0x7BFF), 65504.0F);
  EXPECT_EQ(float_from_f16(0x3555), 0.333251953125F);
  EXPECT_EQ(float_from_f16(0x0001), std::ldexp(1.0F, -24));
  EXPECT_EQ(float_from_f16(0x83FF), -1023 * std::ldexp(1.0F, -24));
  EXPECT_TRUE(std::signbit(float_from_f16(0x8000)));
  EXPECT_EQ(float_from_f16(0xFC00), -INFINITY);
  EXPECT_TRUE(std::isnan(float_from_f16(0x7E00)));
  EXPECT_EQ(float_from_bf16(0x3F80), 1.0F);
  EXPECT_EQ(float_from_bf16(0xC049), -3.140625F);
}

}  // namespace
}  // namespace lockstep
