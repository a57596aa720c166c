// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

// The ratio numerator / denominator of two whole numbers from 1 to 2^31 - 1. Products with it are exact before the one
// rounding, whatever the numbers, so that the same question always has the same answer.
struct ExactRatio {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;

  ExactRatio inverse() const { return {denominator, numerator}; }
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

// x * ratio, rounded half to even. x is at least 0; kConfig when the result is above 2^63 - 1.
std::int64_t rounded_product(std::int64_t x, const ExactRatio& ratio);

// x * ratio as the nearest double, ties to even. x is finite and not subnormal.
double rounded_product(double x, const ExactRatio& ratio);

// The value of x * ratio for people: "2667" when whole, else with at most four digits after the point ("2666.6667").
std::string product_text(std::int64_t x, const ExactRatio& ratio);

}  // namespace lockstep
