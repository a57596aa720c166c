// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/digest.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Digest, KnownSha256) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2, B.1
  const Tensor one = Tensor::from<std::uint8_t>({2}, {65, 66});
  EXPECT_EQ(digest({{"w", &one}}), sha256(std::string("w\0u8[2]\0AB", 10)));
}

TEST(Digest, DependsOnEachPartAndNotOnOrderOrLayout) {
  const Tensor a = Tensor::from<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  const Tensor b = Tensor::from<float>({4}, {1, 2, 3, 4});
  const std::string base = digest({{"a", &a}, {"b", &b}});
  EXPECT_EQ(base, digest({{"b", &b}, {"a", &a}}));
  EXPECT_NE(base, digest({{"a", &b}, {"b", &a}}));
  EXPECT_NE(base, digest({{"a", &a}, {"c", &b}}));
  EXPECT_NE(base, digest({{"a", &a}}));
  const Tensor zero = Tensor::from<float>({1}, {0.0F});
  const Tensor minus_zero = Tensor::from<float>({1}, {-0.0F});
  EXPECT_NE(digest({{"z", &zero}}), digest({{"z", &minus_zero}}));
  Tensor blocked;
  convert_layout(a, Layout::kNChw8c, blocked);
  EXPECT_EQ(base, digest({{"a", &blocked}, {"b", &b}}));
}

}  // namespace
}  // namespace lockstep
