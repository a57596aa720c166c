// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/json_walker.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "lockstep/base/utf8.h"

namespace lockstep {
namespace {

constexpr int kMaxDepth = 1024;
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

JsonWalker::JsonWalker(std::string_view text) : text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

void JsonWalker::fail(std::size_t offset, std::string what) const { throw JsonFault{offset, std::move(what)}; }

// The token here, as it stands in the text.
std::string JsonWalker::shown() const {
  const char c = here();
  if (is_letter(c)) {
    std::size_t end = at_;
    while (end < text_.size() && end - at_ < 20 && is_letter(text_[end])) ++end;
    return fmt::format("'{}'", text_.substr(at_, end - at_));
  }
  const std::size_t length = utf8_length(text_, at_);
  if (length == 0) return fmt::format("byte 0x{:02X}, which is not UTF-8", static_cast<unsigned char>(c));
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return fmt::format("control character 0x{:02X}", c);
  return fmt::format("'{}'", text_.substr(at_, length));
}

void JsonWalker::refuse(std::string_view wanted) const {
  if (at_end()) fail(at_, fmt::format("the file ends where {} is wanted", wanted));
  fail(at_, fmt::format("found {}, wanted {}", shown(), wanted));
}

void JsonWalker::skip_blanks() {
  while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
}

bool JsonWalker::take(char c) {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

// False when the list or object is empty; it has been left then.
bool JsonWalker::enter(char open, char close) {
  if (++depth_ > kMaxDepth) fail(at_, fmt::format("more than {} lists and objects within one another", kMaxDepth));
  take(open);
  skip_blanks();
  if (!take(close)) return true;
  --depth_;
  return false;
}

// True when another value follows; at the end the list or object has been left.
bool JsonWalker::another(char close, const char* wanted) {
  skip_blanks();
  if (take(',')) return true;
  if (!take(close)) refuse(wanted);
  --depth_;
  return false;
}

void JsonWalker::skip_value() {
  const char c = here();
  if (c == '{') return each_member([this](std::string_view) { skip_value(); });
  if (c == '[') return each_element([this](std::size_t) { skip_value(); });
  if (c == '"') return void(skip_text());
  if (c == '-' || is_digit(c)) return skip_number();
  if (c == 't') return skip_word("true");
  if (c == 'f') return skip_word("false");
  if (c == 'n') return skip_word("null");
  if (c == '\'') refuse("a value (texts stand in double quotes)");
  if (c == 'N' || c == 'I') refuse("a value (JSON has no NaN and no Infinity)");
  refuse("a value");
}

void JsonWalker::finish() {
  skip_blanks();
  if (!at_end()) fail(at_, fmt::format("the data are followed by something else ({})", shown()));
}

void JsonWalker::skip_word(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) refuse("a value");
  const std::size_t end = at_ + word.size();
  if (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) refuse("a value");
  at_ = end;
}

// Returns what stands between the quotes.
std::string_view JsonWalker::skip_text() {
  const std::size_t quote = at_++;
  for (;;) {
    if (at_end()) fail(at_, "the file ends within a text");
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') break;
    if (c == '\\') {
      skip_escape();
    } else if (c < 0x20) {
      fail(at_, fmt::format("found control character 0x{:02X} in a text; wanted it escaped (\\u{:04x})", c, c));
    } else if (c < 0x80) {
      ++at_;
    } else {
      const std::size_t length = utf8_length(text_, at_);
      if (length == 0) fail(at_, fmt::format("found {} in a text", shown()));
      at_ += length;
    }
  }
  ++at_;
  return text_.substr(quote + 1, at_ - quote - 2);
}

void JsonWalker::skip_escape() {
  const std::size_t start = at_++;
  const char c = here();
  if (c != '\0' && std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) {
    ++at_;
    return;
  }
  if (c != 'u')
    fail(start, at_end() ? "the file ends within a text" : fmt::format("found the escape \\ and {}", shown()));
  ++at_;
  const unsigned first = hex_digits();
  const bool high = first >= 0xD800 && first < 0xDC00;
  if (high && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const unsigned second = hex_digits();
    if (second >= 0xDC00 && second < 0xE000) return;
  }
  if (first >= 0xD800 && first < 0xE000) fail(start, "found half of a surrogate pair in a text");
}

unsigned JsonWalker::hex_digits() {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = here();
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) refuse("four hexadecimal digits behind \\u");
    value = value * 16 + static_cast<unsigned>(digit);
  }
  return value;
}

std::size_t JsonWalker::skip_digits() {
  const std::size_t start = at_;
  while (is_digit(here())) ++at_;
  if (at_ == start) refuse("a digit");
  return at_ - start;
}

void JsonWalker::skip_number() {
  const std::size_t start = at_;
  take('-');
  if (here() == 'I') refuse("a value (JSON has no NaN and no Infinity)");
  const bool zero = here() == '0';
  if (skip_digits() > 1 && zero) fail(start, "found a number that begins with 0, wanted none in front");
  bool whole = true;
  if (take('.')) whole = false, skip_digits();
  if (here() == 'e' || here() == 'E') {
    whole = false, ++at_;
    if (!take('-')) take('+');
    skip_digits();
  }
  if (is_letter(here()) || here() == '.') refuse("the end of the number");
  const char *begin = text_.data() + start, *end = text_.data() + at_;
  if (whole) {
    std::int64_t number = 0;
    std::uint64_t large = 0;
    if (std::from_chars(begin, end, number).ec == std::errc() || std::from_chars(begin, end, large).ec == std::errc())
      return;
    fail(start, "found an integer of more than 64 bits");
  }
  double number = 0;
  if (std::from_chars(begin, end, number).ec == std::errc()) return;
  // Out of range: too small is read as 0.
  if (std::isinf(std::strtod(std::string(begin, end).c_str(), nullptr))) fail(start, "found a number beyond 1.8e308");
}

}  // namespace lockstep
