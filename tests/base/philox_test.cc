// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/philox.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

using Counter = std::array<std::uint32_t, 4>;

// Known answers published with the Random123 library (philox4x32, 10 rounds).
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(PhiloxStream, IsAPureFunctionOfItsKeys) {
  PhiloxStream a(3, 17, 5), b(3, 17, 5), other_sample(3, 18, 5), other_op(3, 17, 6);
  const std::uint32_t first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, other_sample.next());
  EXPECT_NE(first, other_op.next());
}

TEST(PhiloxStream, BelowReachesEveryValueAndNoOther) {
  PhiloxStream stream(1, 2, 3);
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(stream.below(7));
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(PhiloxStream, ChooseTakesDistinctItems) {
  PhiloxStream stream(1, 2, 3);
  const auto chosen = stream.choose(50, 20);
  EXPECT_EQ(std::set<std::uint32_t>(chosen.begin(), chosen.end()).size(), 20u);
  for (const auto item : chosen) EXPECT_LT(item, 50u);
}

TEST(PhiloxStream, NormalHasMeanZeroAndVarianceOne) {
  PhiloxStream stream(9, 0, 0);
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double value = stream.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.02);
  EXPECT_NEAR(squares / kCount, 1.0, 0.02);
}

}  // namespace
}  // namespace lockstep
