// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

// Where a text stops being JSON, and why.
struct JsonFault {
  std::size_t offset;  // byte
  std::string what;    // "found ',', wanted a value"
};

// Internal to json_places: goes through a JSON text (RFC 8259) value by value and throws JsonFault at the first byte
// that breaks its grammar. As the parser that reads the files it allows a byte-order mark in front, nesting of 1,024
// values, integers of 64 bits and numbers within a double.
class JsonWalker {
 public:
  explicit JsonWalker(std::string_view text);

  std::size_t at() const { return at_; }
  void go_to(std::size_t offset) { at_ = offset; }
  void skip_blanks();
  void skip_value();  // from its first byte to the byte behind it
  void finish();      // nothing but blanks may follow

  // Enters '{' or '[' and calls `visit` at the first byte of every value, with its key or place; `visit` skips it.
  template <typename Visit>
  void each_member(const Visit& visit);
  template <typename Visit>
  void each_element(const Visit& visit);

 private:
  bool at_end() const { return at_ == text_.size(); }
  char here() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c);
  bool enter(char open, char close);
  bool another(char close, const char* wanted);
  std::string_view skip_text();
  void skip_escape();
  unsigned hex_digits();
  void skip_number();
  std::size_t skip_digits();
  void skip_word(std::string_view word);
  [[noreturn]] void refuse(std::string_view wanted) const;
  [[noreturn]] void fail(std::size_t offset, std::string what) const;
  std::string shown() const;

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

template <typename Visit>
void JsonWalker::each_member(const Visit& visit) {
  if (!enter('{', '}')) return;
  do {
    skip_blanks();
    if (here() != '"') refuse("a key in double quotes");
    const std::string_view key = skip_text();
    skip_blanks();
    if (!take(':')) refuse("':'");
    skip_blanks();
    visit(key);
  } while (another('}', "',' or '}'"));
}

template <typename Visit>
void JsonWalker::each_element(const Visit& visit) {
  if (!enter('[', ']')) return;
  std::size_t place = 0;
  do {
    skip_blanks();
    visit(place++);
  } while (another(']', "',' or ']'"));
}

}  // namespace lockstep
