// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

// A value as a config file or an override states it, before it is fitted to the type of its key. Tuples and
// lists are one kind (List).
struct Value {
  struct Entry;
  using List = std::vector<Value>;
  using Entries = std::vector<Entry>;  // a mapping, in the order of the file

  Value() = default;
  // Implicit on purpose, so that literals and lists read as what they are. Defined below, where Entry is complete.
  // NOLINTBEGIN(google-explicit-constructor)
  Value(bool value);
  Value(int value);
  Value(std::int64_t value);
  Value(double value);
  Value(const char* value);
  Value(std::string value);
  Value(List value);
  Value(Entries value);
  // NOLINTEND(google-explicit-constructor)

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Entries> data;
};

struct Value::Entry {
  std::string name;
  Value value;
};

inline Value::Value(bool value) : data(value) {}
inline Value::Value(int value) : data(static_cast<std::int64_t>(value)) {}
inline Value::Value(std::int64_t value) : data(value) {}
inline Value::Value(double value) : data(value) {}
inline Value::Value(const char* value) : data(std::string(value)) {}
inline Value::Value(std::string value) : data(std::move(value)) {}
inline Value::Value(List value) : data(std::move(value)) {}
inline Value::Value(Entries value) : data(std::move(value)) {}

bool operator==(const Value& a, const Value& b);
bool operator==(const Value::Entry& a, const Value::Entry& b);

// What a message calls the value: "the whole number 3", "the text 'abc'", "nothing (null)", "a list of 2".
std::string describe(const Value& value);

// A number as Python prints it: the shortest digits that read back as the same double, always with a
// fraction or an exponent (0.1, 2.0, 1.0e-05). The exponent form is one that YAML 1.1 reads as a number.
std::string number_text(double value);

// The value in YAML's flow form on one line; reads back as the same value.
std::string to_flow_yaml(const Value& value);

// A text as a YAML scalar: plain where that reads back as the same text, else in double quotes.
std::string yaml_text(std::string_view text);

}  // namespace lockstep
