// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/list_expression.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

constexpr int kMaxDepth = 32;
constexpr int kMaxValues = 10000;
constexpr std::size_t kMaxText = 2000;
constexpr double kExact = 9007199254740992.0;  // 2^53: whole numbers up to here are exact doubles

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Recursive descent that computes while it reads. A list with `for` reads its element once per value of the
// name, by going back to the element's first character.
class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : text_(text) {}

  Value read() {
    Value value = read_sum(0);
    skip_space();
    check(at_ == text_.size(), "the end");
    return value;
  }

 private:
  struct Number {
    double value = 0;
    bool whole = false;
  };

  void check(bool condition, std::string_view wanted) const {
    LS_CHECK(kConfig, condition,
             "found '{}' at character {} of the expression '{}', wanted {}; only numbers, + - * / **, brackets and "
             "'for NAME in LIST' are read",
             at_ < text_.size() ? text_.substr(at_, 1) : std::string_view("the end"), at_ + 1, text_.substr(0, 200),
             wanted);
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  bool next_is_power() const { return text_.substr(at_, 2) == "**"; }
  std::string_view take_name() {
    skip_space();
    const std::size_t start = at_;
    if (at_ < text_.size() && is_letter(text_[at_])) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  Number number_of(const Value& value) const {
    if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return {static_cast<double>(*whole), true};
    const auto* number = std::get_if<double>(&value.data);
    check(number != nullptr, "numbers on both sides of the operator");
    return {*number, false};
  }
  Value make(double value, bool whole) const {
    check(std::isfinite(value), "a finite result");
    if (whole && std::abs(value) <= kExact) return Value(static_cast<std::int64_t>(value));
    return Value(value);
  }

  Value read_sum(int depth) {
    Value left = read_product(depth);
    while (true) {
      const bool plus = take("+");
      if (!plus && !take("-")) return left;
      const Number a = number_of(left);
      const Number b = number_of(read_product(depth));
      left = make(plus ? a.value + b.value : a.value - b.value, a.whole && b.whole);
    }
  }

  Value read_product(int depth) {
    Value left = read_signed(depth);
    while (true) {
      skip_space();
      if (next_is_power()) return left;
      const bool times = take("*");
      if (!times && !take("/")) return left;
      const Number a = number_of(left);
      const Number b = number_of(read_signed(depth));
      check(times || b.value != 0, "a divisor that is not 0");
      left = make(times ? a.value * b.value : a.value / b.value, times && a.whole && b.whole);
    }
  }

  Value read_signed(int depth) {
    check(depth <= kMaxDepth, "less nesting");
    const bool minus = take("-");
    if (!minus && !take("+")) return read_power(depth);
    const Number a = number_of(read_signed(depth + 1));
    return make(minus ? -a.value : a.value, a.whole);
  }

  // ** binds tighter than a sign on its left and is read from the right.
  Value read_power(int depth) {
    Value base = read_atom(depth);
    skip_space();
    if (!take("**")) return base;
    const Number a = number_of(base);
    const Number b = number_of(read_signed(depth + 1));
    return make(std::pow(a.value, b.value), a.whole && b.whole && b.value >= 0);
  }

  Value read_atom(int depth) {
    check(depth <= kMaxDepth, "less nesting");
    check(++values_ <= kMaxValues, "fewer values");
    if (take("(")) {
      Value value = read_sum(depth + 1);
      check(take(")"), "')'");
      return value;
    }
    if (take("[")) return read_list(depth);
    skip_space();
    if (at_ < text_.size() && is_letter(text_[at_])) {
      const std::size_t start = at_;
      const std::string_view name = take_name();
      for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding) {
        if (binding->first == name) return binding->second;
      }
      at_ = start;
      check(false, "a number or a name bound by 'for'");
    }
    return read_number();
  }

  Value read_number() {
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    double value = 0;
    const bool starts = at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.');
    const auto result = std::from_chars(begin, end, value);
    check(starts && result.ec == std::errc(), "a number");
    const std::string_view digits(begin, static_cast<std::size_t>(result.ptr - begin));
    at_ += digits.size();
    check(at_ == text_.size() || !is_letter(text_[at_]), "a number");
    return make(value, digits.find_first_not_of("0123456789") == std::string_view::npos);
  }

  Value read_list(int depth) {
    Value::List items;
    if (take("]")) return Value(std::move(items));
    const std::size_t element = at_;
    if (const auto loop = find_loop(element)) return read_loop(element, *loop, depth);
    while (true) {
      items.push_back(read_sum(depth + 1));
      if (take("]")) break;
      check(take(","), "',' or ']'");
      if (take("]")) break;
    }
    return Value(std::move(items));
  }

  // The place after the word `for` of the list whose first element starts at `from`, if it has one.
  std::optional<std::size_t> find_loop(std::size_t from) const {
    int level = 0;
    for (std::size_t i = from; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '[' || c == '(') ++level;
      if ((c == ']' || c == ')') && level-- == 0) return std::nullopt;
      const bool word_starts = i == 0 || (!is_letter(text_[i - 1]) && !is_digit(text_[i - 1]));
      if (level == 0 && word_starts && text_.substr(i, 4) == "for ") return i + 4;
    }
    return std::nullopt;
  }

  Value read_loop(std::size_t element, std::size_t loop, int depth) {
    at_ = loop;
    const std::string name(take_name());
    check(!name.empty(), "a name after 'for'");
    check(take("in "), "'in'");
    const Value source = read_sum(depth + 1);
    const auto* values = std::get_if<Value::List>(&source.data);
    check(values != nullptr, "a list after 'in'");
    check(take("]"), "']'");
    const std::size_t end = at_;
    Value::List items;
    for (const Value& value : *values) {
      at_ = element;
      bindings_.emplace_back(name, value);
      items.push_back(read_sum(depth + 1));
      bindings_.pop_back();
      check(take("for "), "'for'");
    }
    at_ = end;
    return Value(std::move(items));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int values_ = 0;
  std::vector<std::pair<std::string, Value>> bindings_;
};

}  // namespace

Value evaluate_list_expression(std::string_view text) {
  LS_CHECK(kConfig, text.size() <= kMaxText, "found an expression of {} characters, wanted at most {}", text.size(),
           kMaxText);
  return ExpressionReader(text).read();
}

}  // namespace lockstep
