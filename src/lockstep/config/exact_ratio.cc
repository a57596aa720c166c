// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/exact_ratio.h"

#include <bit>
#include <cmath>
#include <limits>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

__extension__ using Wide = unsigned __int128;

void require_terms(const ExactRatio& ratio) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  LS_ASSERT(ratio.numerator >= 1 && ratio.numerator <= kMost && ratio.denominator >= 1 && ratio.denominator <= kMost,
            "found the ratio {}/{}, wanted terms from 1 to 2^31 - 1", ratio.numerator, ratio.denominator);
}

Wide product(std::int64_t x, const ExactRatio& ratio) {
  require_terms(ratio);
  LS_ASSERT(x >= 0, "found {}, wanted at least 0", x);
  return static_cast<Wide>(x) * static_cast<Wide>(ratio.numerator);
}

int leading_zeros(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64U);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

}  // namespace

std::int64_t rounded_product(std::int64_t x, const ExactRatio& ratio) {
  const Wide top = product(x, ratio);
  const auto bottom = static_cast<Wide>(ratio.denominator);
  Wide whole = top / bottom;
  const Wide twice_rest = 2 * (top % bottom);
  if (twice_rest > bottom || (twice_rest == bottom && whole % 2 == 1)) ++whole;
  LS_CHECK(kConfig, whole <= static_cast<Wide>(std::numeric_limits<std::int64_t>::max()),
           "found {} * {}/{}, wanted a result below 2^63", x, ratio.numerator, ratio.denominator);
  return static_cast<std::int64_t>(whole);
}

double rounded_product(double x, const ExactRatio& ratio) {
  require_terms(ratio);
  LS_ASSERT(std::isfinite(x), "found {}, wanted a finite number", x);
  if (x == 0) return x;
  constexpr int kMantissaBits = 53;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kMantissaBits));
  const Wide top = product(mantissa, ratio);
  const int shift = leading_zeros(top);
  const Wide shifted = top << static_cast<unsigned>(shift);
  const auto bottom = static_cast<Wide>(ratio.denominator);
  // 97 bits at least. A rest only has to tell the conversion, which rounds half to even, that it is no tie.
  const Wide quotient = shifted / bottom | (shifted % bottom != 0 ? 1U : 0U);
  return std::copysign(std::ldexp(static_cast<double>(quotient), exponent - kMantissaBits - shift), x);
}

std::string product_text(std::int64_t x, const ExactRatio& ratio) {
  constexpr int kDigits = 4;
  const Wide top = product(x, ratio);
  const auto bottom = static_cast<Wide>(ratio.denominator);
  const auto whole = static_cast<std::uint64_t>(top / bottom);
  if (top % bottom == 0) return std::to_string(whole);
  const double rest = static_cast<double>(top % bottom) / static_cast<double>(bottom);
  std::string digits = fmt::format("{:.{}f}", rest, kDigits);
  if (digits.front() == '1') return fmt::format("{}.9999", whole);  // never the look of a whole number
  while (digits.back() == '0' && digits.size() > 3) digits.pop_back();
  return std::to_string(whole) + digits.substr(1);
}

}  // namespace lockstep
