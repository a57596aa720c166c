// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/literal.h"

#include <charconv>
#include <string>

#include "lockstep/config/decimal.h"
#include "lockstep/config/training_time.h"

namespace lockstep {
namespace {

constexpr int kMaxDepth = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// Recursive descent over the text; every function gives nullopt where the text is no literal.
class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  std::optional<Value> read() {
    auto first = read_item(0);
    if (!first) return std::nullopt;
    skip_space();
    if (at_end()) return parse_epochs(text_) ? std::nullopt : first;  // alone it is a plain text
    // `1, 2` without brackets is a tuple.
    Value::List items = {*std::move(first)};
    while (!at_end()) {
      if (!take(',')) return std::nullopt;
      skip_space();
      if (at_end()) break;
      auto item = read_item(0);
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
      skip_space();
    }
    return Value(std::move(items));
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }

  std::optional<Value> read_item(int depth) {
    skip_space();
    if (at_end() || depth > kMaxDepth) return std::nullopt;
    const char c = peek();
    if (c == '(' || c == '[') return read_sequence(depth);
    if (c == '\'' || c == '"') return read_strings();
    if ((c == 'r' || c == 'R' || c == 'u' || c == 'U') && (peek(1) == '\'' || peek(1) == '"')) return read_strings();
    if (auto epochs = read_epochs()) return epochs;
    if (is_digit(c) || c == '.' || c == '+' || c == '-') return read_number();
    return read_name();
  }

  // 8ep as a text, so that a tuple of epochs needs no quotes.
  std::optional<Value> read_epochs() {
    std::size_t end = at_;
    while (end < text_.size() && (is_name_character(text_[end]) || text_[end] == '.')) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (!parse_epochs(word)) return std::nullopt;
    at_ = end;
    return Value(std::string(word));
  }

  std::optional<Value> read_sequence(int depth) {
    const bool tuple = peek() == '(';
    const char close = tuple ? ')' : ']';
    ++at_;
    Value::List items;
    bool comma = false;
    while (true) {
      skip_space();
      if (take(close)) break;
      if (!items.empty() && !comma) return std::nullopt;
      auto item = read_item(depth + 1);
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
      skip_space();
      comma = take(',');
      if (at_end()) return std::nullopt;
    }
    if (tuple && items.size() == 1 && !comma) return std::move(items[0]);  // brackets around one item
    return Value(std::move(items));
  }

  std::optional<Value> read_name() {
    std::size_t end = at_;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    if (name == "True") return Value(true);
    if (name == "False") return Value(false);
    if (name == "None") return Value();
    return std::nullopt;
  }

  // Takes digits of a base with single underscores between them; false without any digit.
  bool take_digits(std::string& out, std::string_view allowed) {
    const std::size_t before = out.size();
    while (!at_end()) {
      if (allowed.find(peek()) != std::string_view::npos) {
        out += text_[at_++];
      } else if (peek() == '_' && out.size() > before && allowed.find(peek(1)) != std::string_view::npos &&
                 at_ + 1 < text_.size()) {
        ++at_;
      } else {
        break;
      }
    }
    return out.size() > before;
  }

  std::optional<Value> read_number() {
    const bool negative = peek() == '-';
    if (negative || peek() == '+') {
      ++at_;
      skip_space();
    }
    constexpr std::string_view kDecimal = "0123456789";
    std::string digits;
    int base = 10;
    if (peek() == '0') {
      const char kind = static_cast<char>(peek(1) | 0x20);
      base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    }
    if (base != 10) {
      at_ += 2;
      take('_');
      const std::string_view allowed = base == 16 ? "0123456789abcdefABCDEF" : base == 8 ? "01234567" : "01";
      if (!take_digits(digits, allowed) || is_name_character(peek())) return std::nullopt;
      return to_whole(digits, base, negative);
    }
    const bool whole_part = take_digits(digits, kDecimal);
    bool is_float = false;
    if (take('.')) {
      is_float = true;
      digits += '.';
      if (!take_digits(digits, kDecimal) && !whole_part) return std::nullopt;
    } else if (!whole_part) {
      return std::nullopt;
    }
    if (peek() == 'e' || peek() == 'E') {
      is_float = true;
      ++at_;
      digits += 'e';
      if (peek() == '-' || peek() == '+') digits += text_[at_++];
      if (!take_digits(digits, kDecimal)) return std::nullopt;
    }
    if (is_name_character(peek()) && !at_end()) return std::nullopt;
    if (!is_float) {
      // Python knows no 010; only zeros may start with a zero.
      if (digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos) {
        return std::nullopt;
      }
      return to_whole(digits, 10, negative);
    }
    const auto value = parse_decimal(digits);
    if (!value) return std::nullopt;
    return Value(negative ? -*value : *value);
  }

  static std::optional<Value> to_whole(const std::string& digits, int base, bool negative) {
    std::int64_t value = 0;
    const std::string signed_digits = (negative ? "-" : "") + digits;
    const char* end = signed_digits.data() + signed_digits.size();
    const auto result = std::from_chars(signed_digits.data(), end, value, base);
    if (result.ec == std::errc()) return Value(value);
    if (base != 10) return std::nullopt;
    const auto big = parse_decimal(digits);  // beyond 64 bits: only a key that wants a number can take it
    if (!big) return std::nullopt;
    return Value(negative ? -*big : *big);
  }

  // Neighbouring string literals are one string.
  std::optional<Value> read_strings() {
    std::string out;
    while (true) {
      if (!read_string(out)) return std::nullopt;
      skip_space();
      const bool prefixed = peek() == 'r' || peek() == 'R' || peek() == 'u' || peek() == 'U';
      const char quote = peek(prefixed ? 1 : 0);
      if (quote != '\'' && quote != '"') return Value(std::move(out));
    }
  }

  bool read_string(std::string& out) {
    const bool raw = peek() == 'r' || peek() == 'R';
    if (raw || peek() == 'u' || peek() == 'U') ++at_;
    const char quote = text_[at_];
    const bool triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    while (!at_end()) {
      const char c = text_[at_++];
      if (c == quote && (!triple || (peek() == quote && peek(1) == quote))) {
        at_ += triple ? 2 : 0;
        return true;
      }
      if (c == '\n' && !triple) return false;
      if (c != '\\') {
        out += c;
      } else if (at_end()) {
        return false;
      } else if (raw) {
        out += c;
        out += text_[at_++];
      } else if (!read_escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool read_escape(std::string& out) {
    const char c = text_[at_++];
    switch (c) {
      case '\n': return true;
      case 'n': out += '\n'; return true;
      case 't': out += '\t'; return true;
      case 'r': out += '\r'; return true;
      case '\\':
      case '\'':
      case '"': out += c; return true;
      case 'x': return read_code(out, 2);
      case 'u': return read_code(out, 4);
      case 'U': return read_code(out, 8);
      default:
        // Rare escapes (\a, \b, octal, \N{...}) have no place in a config: such a text stays a text.
        return false;
    }
  }

  bool read_code(std::string& out, std::size_t width) {
    unsigned code = 0;
    if (at_ + width > text_.size()) return false;
    const char* begin = text_.data() + at_;
    const auto result = std::from_chars(begin, begin + width, code, 16);
    if (result.ec != std::errc() || result.ptr != begin + width || code > 0x10FFFF) return false;
    if (code == 0 || (code >= 0xD800 && code <= 0xDFFF)) return false;
    append_utf8(out, code);
    at_ += width;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Value> parse_literal(std::string_view text) { return LiteralReader(text).read(); }

}  // namespace lockstep
