// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "lockstep/config/decimal.h"

namespace lockstep {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 9> kTrue = {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
constexpr std::array<std::string_view, 9> kFalse = {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};

// Splits a leading sign off.
bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

std::string without_underscores(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char c) { return c != '_'; });
  return out;
}

// A whole number when it fits 64 bits, else (decimal only) the nearest double.
std::optional<Value> whole(std::string_view digits, int base, bool negative) {
  const std::string clean = (negative ? "-" : "") + without_underscores(digits);
  if (clean.empty() || clean == "-") return std::nullopt;
  std::int64_t value = 0;
  const char* end = clean.data() + clean.size();
  const auto result = std::from_chars(clean.data(), end, value, base);
  if (result.ec == std::errc() && result.ptr == end) return Value(value);
  if (result.ec != std::errc::result_out_of_range) return std::nullopt;
  if (base != 10) return std::nullopt;
  const auto big = parse_decimal(clean);  // beyond 64 bits: only a key that wants a number can take it
  return big ? std::optional<Value>(*big) : std::nullopt;
}

// Base 60: 12:30 is 12 * 60 + 30; only the last part may have a fraction.
std::optional<Value> sexagesimal(std::string_view text, bool negative) {
  double total = 0;
  bool fraction = false;
  std::size_t parts = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    std::string_view part = text.substr(0, colon);
    const std::size_t point = part.find('.');
    if (point != std::string_view::npos) {
      if (colon != std::string_view::npos) return std::nullopt;
      fraction = true;
    }
    const std::string_view digits = part.substr(0, point);
    const bool first = parts == 0;
    if (digits.empty() || !is_digit(digits[0])) return std::nullopt;
    for (const char c : digits) {
      if (!is_digit(c) && !(first && c == '_')) return std::nullopt;
    }
    if (!first && (digits.size() > 2 || (digits.size() == 2 && digits[0] > '5'))) return std::nullopt;
    const auto value = parse_decimal(without_underscores(part));
    if (!value) return std::nullopt;
    total = total * 60 + *value;
    ++parts;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts < 2) return std::nullopt;
  if (negative) total = -total;
  if (fraction || std::abs(total) > 9007199254740992.0) return Value(total);
  return Value(static_cast<std::int64_t>(total));
}

std::optional<Value> as_int(std::string_view text) {
  const bool negative = take_sign(text);
  if (text.empty() || !is_digit(text[0])) return std::nullopt;
  const auto all = [](std::string_view part, std::string_view allowed) {
    return !part.empty() && part.find_first_not_of(allowed) == std::string_view::npos;
  };
  if (text.size() > 1 && text[0] == '0') {
    const std::string_view rest = text.substr(text[1] == 'b' || text[1] == 'x' ? 2 : 1);
    if (text[1] == 'b') return all(rest, "01_") ? whole(rest, 2, negative) : std::nullopt;
    if (text[1] == 'x') return all(rest, "0123456789abcdefABCDEF_") ? whole(rest, 16, negative) : std::nullopt;
    return all(rest, "01234567_") ? whole(text, 8, negative) : std::nullopt;
  }
  if (all(text, "0123456789_")) return whole(text, 10, negative);
  if (text[0] != '0' && text.find(':') != std::string_view::npos && text.find('.') == std::string_view::npos) {
    return sexagesimal(text, negative);
  }
  return std::nullopt;
}

std::optional<Value> as_float(std::string_view text) {
  const bool starts_with_point = !text.empty() && text[0] == '.';
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return Value(std::numeric_limits<double>::quiet_NaN());
  const bool negative = take_sign(text);
  if (text == ".inf" || text == ".Inf" || text == ".INF") {
    const double infinity = std::numeric_limits<double>::infinity();
    return Value(negative ? -infinity : infinity);
  }
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  if (text.find(':') != std::string_view::npos) return sexagesimal(text, negative);
  // Digits, a point, digits, and an exponent that must have a sign; a leading point allows no sign before it.
  const std::string_view before = text.substr(0, point);
  std::string_view after = text.substr(point + 1);
  std::string_view exponent;
  const std::size_t e = after.find_first_of("eE");
  if (e != std::string_view::npos) {
    exponent = after.substr(e + 1);
    after = after.substr(0, e);
    if (exponent.size() < 2 || (exponent[0] != '+' && exponent[0] != '-')) return std::nullopt;
    if (exponent.substr(1).find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  }
  const auto digits_only = [](std::string_view part) {
    return part.find_first_not_of("0123456789_") == std::string_view::npos;
  };
  if (!digits_only(before) || !digits_only(after)) return std::nullopt;
  if (before.empty() ? (!starts_with_point || after.empty() || !is_digit(after[0])) : !is_digit(before[0])) {
    return std::nullopt;
  }
  const auto value = parse_decimal(without_underscores(text));
  if (!value) return std::nullopt;
  return Value(negative ? -*value : *value);
}

}  // namespace

Value resolve_plain_scalar(std::string_view text) {
  if (is_one_of(text, kNull)) return Value();
  if (is_one_of(text, kTrue)) return Value(true);
  if (is_one_of(text, kFalse)) return Value(false);
  if (const auto number = as_int(text)) return *number;
  if (const auto number = as_float(text)) return *number;
  return Value(std::string(text));
}

}  // namespace lockstep
