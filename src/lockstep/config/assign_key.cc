// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/assign_key.h"

#include <fmt/core.h>

#include "lockstep/config/environment.h"

namespace lockstep {
namespace {

// In every text of the value.
std::optional<std::string> expand_paths(Value& value) {
  if (auto* text = std::get_if<std::string>(&value.data)) return expand_environment(*text);
  if (auto* items = std::get_if<Value::List>(&value.data)) {
    for (Value& item : *items) {
      if (auto problem = expand_paths(item)) return problem;
    }
  }
  if (auto* entries = std::get_if<Value::Entries>(&value.data)) {
    for (Value::Entry& entry : *entries) {
      if (auto problem = expand_paths(entry.value)) return problem;
    }
  }
  return std::nullopt;
}

}  // namespace

bool assign_key(Config& config, const KeyInfo& key, const Value& value, const std::string& where,
                const std::string& name, ConfigProblems& problems) {
  const std::string subject = name == key.path ? name : fmt::format("{} ({} here)", name, key.path);
  const auto fail = [&](const std::string& problem) {
    problems.add(fmt::format("{}: {}: {}", where, subject, problem));
    return false;
  };
  const bool is_mapping = std::holds_alternative<Value::Entries>(value.data);
  Value stated = value;
  if (key.is_path && is_mapping) {  // fitting adds the entries to those that are there, which are expanded
    if (const auto problem = expand_paths(stated)) return fail(*problem);
  }
  if (const auto wanted = key.set(config, stated)) {
    return fail(fmt::format("found {}, wanted {}", describe(value), *wanted));
  }
  config.set_keys.insert(key.path);
  if (!key.is_path || is_mapping) return true;
  // After fitting: what a variable holds is a part of a path, whatever it looks like.
  const Value fitted = key.get(config);
  Value expanded = fitted;
  if (const auto problem = expand_paths(expanded)) return fail(*problem);
  if (!(expanded == fitted)) key.set(config, expanded);
  return true;
}

}  // namespace lockstep
