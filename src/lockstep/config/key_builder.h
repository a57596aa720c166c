// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/config/key_table.h"
#include "lockstep/config/value_codec.h"

namespace lockstep {

// The error text of a value outside the key's range or choices, or nullopt. Numbers inside lists count.
std::optional<std::string> range_problem(const KeyInfo& key, const Value& value);

// The path of a member: "solver.base_lr" is SOLVER.BASE_LR.
std::string path_of_member(std::string_view member);

// Fills one KeyInfo; every call returns the builder, so that a key reads as one line of a table.
class KeyBuilder {
 public:
  explicit KeyBuilder(KeyInfo& key) : key_(key) {}

  KeyBuilder& extension() { return key_.is_extension = true, *this; }
  KeyBuilder& no_effect() { return key_.key_class = KeyClass::kNoEffect, *this; }
  KeyBuilder& absence_matters() { return key_.absence_matters = true, *this; }
  KeyBuilder& accepts_one_text() { return key_.accepts_one_text = true, *this; }
  KeyBuilder& path() { return key_.is_path = true, *this; }
  KeyBuilder& at_least(double min) { return key_.min = min, *this; }
  KeyBuilder& between(double min, double max) { return key_.min = min, key_.max = max, *this; }
  KeyBuilder& choices(std::vector<std::string> names) { return key_.choices = std::move(names), *this; }
  // Only these values can be run; others load, and check_supported refuses them.
  KeyBuilder& supports(std::vector<Value> values);
  // The same by a rule; `text` names the values.
  KeyBuilder& supports_if(std::function<bool(const Value&)> rule, std::string text);
  // supports(), for a key whose other values all are unsupported features.
  KeyBuilder& only(std::vector<Value> values) {
    return key_.key_class = KeyClass::kUnsupported, supports(std::move(values));
  }

 private:
  KeyInfo& key_;
};

// Collects the keys in order.
class KeyTableBuilder {
 public:
  void section(std::string path, std::string doc) { sections_.push_back({std::move(path), std::move(doc)}); }

  // `member` is the member's path in Config as text and `access` gives a reference to it for a Config& and a
  // const Config&; the macro LS_KEY writes both.
  template <typename Access>
  KeyBuilder key(std::string_view member, Access access, std::string doc) {
    keys_.push_back({});
    KeyInfo& key = keys_.back();
    key.path = path_of_member(member);
    key.doc = std::move(doc);
    const Config defaults;
    key.type = type_name(access(defaults));
    key.get = [access](const Config& config) { return to_value(access(config)); };
    // The table never changes after it is built, so the function may look its own key up.
    key.set = [access, path = key.path](Config& config, const Value& value) -> std::optional<std::string> {
      const KeyInfo& self = *find_key(path);
      auto& member_ref = access(config);
      auto fitted = member_ref;
      const Value one = Value(Value::List{value});
      const bool is_one_text = self.accepts_one_text && std::holds_alternative<std::string>(value.data);
      auto problem = fit(value, fitted);
      if (problem && is_one_text) problem = fit(one, fitted);
      if (!problem) problem = range_problem(self, to_value(fitted));
      if (!problem) member_ref = std::move(fitted);
      return problem;
    };
    return KeyBuilder(key);
  }

  std::vector<KeyInfo> take_keys() { return std::move(keys_); }
  std::vector<SectionInfo> take_sections() { return std::move(sections_); }

 private:
  std::vector<KeyInfo> keys_;
  std::vector<SectionInfo> sections_;
};

// LS_KEY(table, solver.base_lr, "doc"): adds the key SOLVER.BASE_LR for Config::solver.base_lr.
#define LS_KEY(table, member, ...) \
  (table).key(                     \
      #member, [](auto& config) -> auto& { return config.member; }, __VA_ARGS__)

// The parts of the table, in order; each file holds some sections.
void add_run_keys(KeyTableBuilder& table);
void add_data_keys(KeyTableBuilder& table);
void add_model_keys(KeyTableBuilder& table);
void add_region_keys(KeyTableBuilder& table);
void add_other_model_keys(KeyTableBuilder& table);
void add_solver_keys(KeyTableBuilder& table);
void add_reference_keys(KeyTableBuilder& table);
void add_test_keys(KeyTableBuilder& table);

}  // namespace lockstep
