// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/key_table.h"

#include <algorithm>
#include <map>
#include <set>

#include "lockstep/base/text.h"
#include "lockstep/config/key_builder.h"

namespace lockstep {
namespace {

struct Tables {
  std::vector<KeyInfo> keys;
  std::vector<SectionInfo> sections;
  std::map<std::string, std::size_t, std::less<>> index;
  std::set<std::string, std::less<>> prefixes;
};

Tables build_tables() {
  KeyTableBuilder builder;
  add_run_keys(builder);
  add_data_keys(builder);
  add_model_keys(builder);
  add_region_keys(builder);
  add_other_model_keys(builder);
  add_solver_keys(builder);
  add_reference_keys(builder);
  add_test_keys(builder);
  Tables tables;
  tables.keys = builder.take_keys();
  tables.sections = builder.take_sections();
  for (std::size_t i = 0; i < tables.keys.size(); ++i) {
    const std::string& path = tables.keys[i].path;
    tables.index.emplace(path, i);
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
      tables.prefixes.insert(path.substr(0, dot));
    }
  }
  return tables;
}

const Tables& tables() {
  static const Tables built = build_tables();
  return built;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return out;
}

bool contains_number_outside(const Value& value, double min, double max) {
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) {
    return static_cast<double>(*i) < min || static_cast<double>(*i) > max;
  }
  if (const auto* d = std::get_if<double>(&value.data)) return !(*d >= min && *d <= max);  // also refuses NaN
  if (const auto* list = std::get_if<Value::List>(&value.data)) {
    return std::any_of(list->begin(), list->end(),
                       [&](const Value& item) { return contains_number_outside(item, min, max); });
  }
  return false;
}

}  // namespace

std::string_view to_string(KeyClass key_class) {
  switch (key_class) {
    case KeyClass::kUsed: return "used";
    case KeyClass::kNoEffect: return "no effect";
    case KeyClass::kUnsupported: return "unsupported";
  }
  return "used";
}

std::string path_of_member(std::string_view member) { return upper(member); }

std::optional<std::string> range_problem(const KeyInfo& key, const Value& value) {
  constexpr double kLimit = std::numeric_limits<double>::max();
  if (contains_number_outside(value, key.min, key.max)) {
    if (key.min == -kLimit) return "a finite number";
    if (key.max == kLimit) return "at least " + to_flow_yaml(Value(static_cast<double>(key.min)));
    return "from " + number_text(key.min) + " to " + number_text(key.max);
  }
  const auto* text = std::get_if<std::string>(&value.data);
  if (text && !key.choices.empty() && std::find(key.choices.begin(), key.choices.end(), *text) == key.choices.end()) {
    const std::string near = nearest_name(*text, key.choices);
    return "one of " + join_words(key.choices) + (near.empty() ? "" : "; nearest: " + near);
  }
  return std::nullopt;
}

KeyBuilder& KeyBuilder::supports(std::vector<Value> values) {
  std::vector<std::string> words;
  for (const Value& value : values) words.push_back(to_flow_yaml(value));
  return supports_if([values = std::move(values)](
                         const Value& value) { return std::find(values.begin(), values.end(), value) != values.end(); },
                     join_words(words));
}

KeyBuilder& KeyBuilder::supports_if(std::function<bool(const Value&)> rule, std::string text) {
  key_.is_supported = std::move(rule);
  key_.supported_text = std::move(text);
  return *this;
}

const std::vector<KeyInfo>& key_table() { return tables().keys; }
const std::vector<SectionInfo>& section_table() { return tables().sections; }

const KeyInfo* find_key(std::string_view path) {
  const auto found = tables().index.find(path);
  return found == tables().index.end() ? nullptr : &tables().keys[found->second];
}

bool is_section(std::string_view path) { return tables().prefixes.find(path) != tables().prefixes.end(); }

std::string advice_for_unknown_key(std::string_view path) {
  if (!path.empty() && path.back() == ':') {
    return "write 'KEY VALUE' or 'KEY=VALUE', without ':'";
  }
  const std::string wanted = upper(path);
  if (find_key(wanted)) return "nearest: " + wanted + " (keys are in capitals)";
  std::vector<std::string> same_name;
  std::vector<std::string> siblings;
  std::vector<std::string> all;
  const std::size_t dot = wanted.rfind('.');
  const std::string section = dot == std::string::npos ? "" : wanted.substr(0, dot);
  for (const KeyInfo& key : key_table()) {
    all.push_back(key.path);
    const bool runs = key.key_class != KeyClass::kNoEffect;
    if (runs && last_part(key.path) == last_part(wanted)) same_name.push_back(key.path);
    const std::size_t key_dot = key.path.rfind('.');
    if ((key_dot == std::string::npos ? "" : key.path.substr(0, key_dot)) == section) siblings.push_back(key.path);
  }
  const std::string sibling = nearest_name(wanted, siblings);
  if (!sibling.empty() && edit_distance(wanted, sibling) <= 2) return "nearest: " + sibling;
  if (!same_name.empty() && same_name.size() <= 3) return "nearest: " + join_words(same_name);
  if (!sibling.empty()) return "nearest: " + sibling;
  for (const auto& prefix : tables().prefixes) all.push_back(prefix);
  const std::string near = nearest_name(wanted, all);
  return near.empty() ? std::string("docs/config.md lists all keys") : "nearest: " + near;
}

}  // namespace lockstep
