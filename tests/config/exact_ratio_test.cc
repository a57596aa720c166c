// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/exact_ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "config/config_test_support.h"

namespace lockstep {
namespace {

TEST(ExactRatio, RoundsWholeNumbersHalfToEven) {
  EXPECT_EQ(rounded_product(std::int64_t{90000}, {8, 256}), 2812);  // 2812.5
  EXPECT_EQ(rounded_product(std::int64_t{30000}, {8, 256}), 938);   // 937.5
  EXPECT_EQ(rounded_product(std::int64_t{35}, {3, 14}), 8);         // 7.5; in doubles 35 / (14 / 3) is less
  EXPECT_EQ(rounded_product(std::int64_t{1}, {1, 3}), 0);
  EXPECT_EQ(rounded_product(std::int64_t{2}, {1, 3}), 1);
  EXPECT_EQ(rounded_product(std::int64_t{0}, {7, 3}), 0);
  // More than 64 bits on the way.
  EXPECT_EQ(rounded_product(std::int64_t{1} << 61U, {2147483647, 2147483647}), std::int64_t{1} << 61U);
  EXPECT_EQ(testing::error_of([] {
              rounded_product(std::int64_t{1} << 61U, {2147483647, 1});
            }),
            "found 2305843009213693952 * 2147483647/1, wanted a result below 2^63");
}

TEST(ExactRatio, GivesTheNearestDouble) {
  EXPECT_EQ(rounded_product(0.1, {1, 1}), 0.1);
  EXPECT_EQ(rounded_product(0.1, {3, 8}), 0.1 * 0.375);  // 3 / 8 is a double, so this has one rounding too
  EXPECT_EQ(rounded_product(7.0, {5, 9}), 35.0 / 9.0);   // 7 * (5 / 9) has two
  EXPECT_EQ(rounded_product(0.02, {64, 8}), 0.16);
  EXPECT_EQ(rounded_product(0.0, {64, 8}), 0.0);
  EXPECT_EQ(rounded_product(-0.5, {1, 2}), -0.25);
  EXPECT_TRUE(std::isinf(rounded_product(1e308, {1000, 1})));
}

// An independent route to the nearest double: the remainder of the candidate, exact by fused multiply-add.
TEST(ExactRatio, IsNoFurtherAwayThanItsNeighbours) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> numbers(1e-6, 10);
  std::uniform_int_distribution<std::int64_t> terms(1, 4096);
  for (int i = 0; i < 100000; ++i) {
    const double x = numbers(random);
    const ExactRatio ratio{terms(random), terms(random)};
    const double found = rounded_product(x, ratio);
    // distance = |x * numerator - y * denominator|, in long double exact enough to compare neighbours
    const auto distance = [&](double y) {
      const double top = x * static_cast<double>(ratio.numerator);
      const double top_rest = std::fma(x, static_cast<double>(ratio.numerator), -top);
      const double bottom = y * static_cast<double>(ratio.denominator);
      const double bottom_rest = std::fma(y, static_cast<double>(ratio.denominator), -bottom);
      return std::abs((top - bottom) + (top_rest - bottom_rest));
    };
    const double best = distance(found);
    ASSERT_LE(best, distance(std::nextafter(found, 0.0))) << x << " " << ratio.numerator << "/" << ratio.denominator;
    ASSERT_LE(best, distance(std::nextafter(found, 1e9))) << x << " " << ratio.numerator << "/" << ratio.denominator;
  }
}

TEST(ExactRatio, PrintsTheExactValue) {
  EXPECT_EQ(product_text(8000, {1, 3}), "2666.6667");
  EXPECT_EQ(product_text(90000, {8, 256}), "2812.5");
  EXPECT_EQ(product_text(90000, {8, 16}), "45000");
  EXPECT_EQ(product_text(1, {1, 64}), "0.0156");
  EXPECT_EQ(product_text(1, {1, 100000}), "0.0");
  EXPECT_EQ(product_text(99999999, {1, 100000000}), "0.9999");
}

}  // namespace
}  // namespace lockstep
