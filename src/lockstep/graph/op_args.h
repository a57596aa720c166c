// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep {

using ArgValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                              std::vector<std::string>>;

// "int", "float", "string", "ints", "floats" or "strings".
std::string_view kind_name(const ArgValue& value);
std::string to_string(const ArgValue& value);

// The arguments of one operator after its schema has filled in the defaults. Reading a name that the
// schema does not declare, or as another kind, is an internal error.
class OpArgs {
 public:
  OpArgs() = default;
  explicit OpArgs(std::map<std::string, ArgValue> values) : values_(std::move(values)) {}

  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  bool flag(std::string_view name) const { return integer(name) != 0; }
  const std::string& text(std::string_view name) const;
  const std::vector<std::int64_t>& integers(std::string_view name) const;
  const std::vector<double>& numbers(std::string_view name) const;
  const std::vector<std::string>& texts(std::string_view name) const;

 private:
  template <typename T>
  const T& get(std::string_view name, std::string_view kind) const;

  std::map<std::string, ArgValue> values_;
};

}  // namespace lockstep
