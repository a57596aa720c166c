// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/op_args.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lockstep/base/check.h"

namespace lockstep {

std::string_view kind_name(const ArgValue& value) {
  constexpr std::string_view kNames[] = {"int", "float", "string", "ints", "floats", "strings"};
  return kNames[value.index()];
}

std::string to_string(const ArgValue& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

template <typename T>
const T& OpArgs::get(std::string_view name, std::string_view kind) const {
  const auto found = values_.find(std::string(name));
  LS_ASSERT(found != values_.end(), "a kernel reads argument '{}', which its schema does not declare", name);
  const T* value = std::get_if<T>(&found->second);
  LS_ASSERT(value != nullptr, "a kernel reads argument '{}' as {}, but it is {}", name, kind, kind_name(found->second));
  return *value;
}

std::int64_t OpArgs::integer(std::string_view name) const { return get<std::int64_t>(name, "int"); }
double OpArgs::number(std::string_view name) const { return get<double>(name, "float"); }
const std::string& OpArgs::text(std::string_view name) const { return get<std::string>(name, "string"); }
const std::vector<std::int64_t>& OpArgs::integers(std::string_view name) const {
  return get<std::vector<std::int64_t>>(name, "ints");
}
const std::vector<double>& OpArgs::numbers(std::string_view name) const {
  return get<std::vector<double>>(name, "floats");
}
const std::vector<std::string>& OpArgs::texts(std::string_view name) const {
  return get<std::vector<std::string>>(name, "strings");
}

}  // namespace lockstep
