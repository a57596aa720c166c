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
  Value(bool value) : data(value) {}
  Value(int value) : data(static_cast<std::int64_t>(value)) {}
  Value(std::int64_t value) : data(value) {}
  Value(double value) : data(value) {}
  Value(const char* value) : data(std::string(value)) {}
  Value(std::string value) : data(std::move(value)) {}
  Value(List value) : data(std::move(value)) {}
  Value(Entries value) : data(std::move(value)) {}

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Entries> data;
};

struct Value::Entry {
  std::string name;
  Value value;
};

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
