// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/decimal.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace lockstep {
namespace {

// The power of ten of the first digit that is not 0, for a text that from_chars has read to its end.
long leading_power(std::string_view text) {
  constexpr long kFar = 1000000000;
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const long power = static_cast<long>(point) - static_cast<long>(first) - (first < point ? 1 : 0);
  if (e == text.size()) return power;
  std::string_view digits = text.substr(e + 1);
  if (digits.front() == '+') digits.remove_prefix(1);
  long exponent = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (result.ec != std::errc()) return digits.front() == '-' ? -kFar : kFar;
  return power + std::clamp(exponent, -kFar, kFar);
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ptr != end) return std::nullopt;
  if (result.ec == std::errc()) return value;
  if (result.ec != std::errc::result_out_of_range) return std::nullopt;
  const double magnitude = leading_power(text) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return text.front() == '-' ? -magnitude : magnitude;
}

}  // namespace lockstep
