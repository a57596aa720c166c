// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/value_codec.h"

#include <cmath>
#include <limits>

#include "lockstep/config/literal.h"

namespace lockstep {
namespace {

constexpr std::int64_t kExactWhole = std::int64_t{1} << 53U;  // every whole number up to here is a double
constexpr double kExact = static_cast<double>(kExactWhole);

using Problem = std::optional<std::string>;

// A text that is a Python literal stands for that literal where the key is not a text.
Value decoded(const Value& in) {
  if (const auto* text = std::get_if<std::string>(&in.data)) {
    if (auto literal = parse_literal(*text)) return *std::move(literal);
  }
  return in;
}

template <typename Whole>
Problem fit_whole(const Value& in, Whole& out) {
  const Value value = decoded(in);
  std::int64_t whole = 0;
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) {
    whole = *i;
  } else if (const auto* d = std::get_if<double>(&value.data); d && std::trunc(*d) == *d && std::abs(*d) <= kExact) {
    whole = static_cast<std::int64_t>(*d);
  } else {
    return "a whole number";
  }
  if (whole < std::numeric_limits<Whole>::min() || whole > std::numeric_limits<Whole>::max()) {
    return "a whole number of at most " + std::to_string(sizeof(Whole) * 8) + " bits";
  }
  out = static_cast<Whole>(whole);
  return std::nullopt;
}

template <typename Item>
Problem fit_list(const Value& in, std::vector<Item>& out, const char* wanted) {
  const Value value = decoded(in);
  const auto* list = std::get_if<Value::List>(&value.data);
  if (!list) return wanted;
  std::vector<Item> items;
  for (const Value& entry : *list) {
    Item item{};
    if (fit(entry, item))
      return std::string(wanted) + " (item " + std::to_string(items.size()) + " is " + describe(entry) + ")";
    items.push_back(std::move(item));
  }
  out = std::move(items);
  return std::nullopt;
}

template <typename Item>
Value list_of(const std::vector<Item>& in) {
  Value::List list;
  for (const auto& item : in) list.push_back(to_value(item));
  return Value(std::move(list));
}

}  // namespace

std::optional<std::string> fit(const Value& in, bool& out) {
  const Value value = decoded(in);
  const auto* b = std::get_if<bool>(&value.data);
  if (!b) return "true or false";
  out = *b;
  return std::nullopt;
}
std::optional<std::string> fit(const Value& in, int& out) { return fit_whole(in, out); }
std::optional<std::string> fit(const Value& in, std::int64_t& out) { return fit_whole(in, out); }
std::optional<std::string> fit(const Value& in, double& out) {
  const Value value = decoded(in);
  if (const auto* d = std::get_if<double>(&value.data)) {
    out = *d;
    return std::nullopt;
  }
  const auto* i = std::get_if<std::int64_t>(&value.data);
  if (!i) return "a number";
  if (*i > kExactWhole || *i < -kExactWhole) return "a number that a double holds exactly";
  out = static_cast<double>(*i);
  return std::nullopt;
}
std::optional<std::string> fit(const Value& in, std::optional<double>& out) {
  if (std::holds_alternative<std::monostate>(decoded(in).data)) {
    out.reset();
    return std::nullopt;
  }
  double value = 0;
  if (fit(in, value)) return "a number or null";
  out = value;
  return std::nullopt;
}
std::optional<std::string> fit(const Value& in, std::string& out) {
  const auto* text = std::get_if<std::string>(&in.data);
  if (!text) return "a text (put it in quotes)";
  // "'res2'" is a quoted Python literal; any other text is meant as it stands.
  const auto literal = parse_literal(*text);
  const auto* inner = literal ? std::get_if<std::string>(&literal->data) : nullptr;
  out = inner ? *inner : *text;
  return std::nullopt;
}
std::optional<std::string> fit(const Value& in, TrainingTime& out) {
  if (const auto* text = std::get_if<std::string>(&in.data)) {
    if (const auto epochs = parse_epochs(*text)) {
      out = *epochs;
      return std::nullopt;
    }
  }
  std::int64_t iterations = 0;
  if (fit(in, iterations)) return "a whole number of iterations, or epochs such as 8ep";
  out = iterations;
  return std::nullopt;
}
std::optional<std::string> fit(const Value& in, std::vector<TrainingTime>& out) {
  return fit_list(in, out, "a list of whole numbers of iterations, or epochs such as 8ep");
}
std::optional<std::string> fit(const Value& in, std::vector<bool>& out) {
  const Value value = decoded(in);
  const auto* list = std::get_if<Value::List>(&value.data);
  if (!list) return "a list of truth values";
  std::vector<bool> items;
  for (const Value& entry : *list) {
    bool item = false;
    if (fit(entry, item))
      return "a list of truth values (item " + std::to_string(items.size()) + " is " + describe(entry) + ")";
    items.push_back(item);
  }
  out = std::move(items);
  return std::nullopt;
}
std::optional<std::string> fit(const Value& in, std::vector<int>& out) {
  return fit_list(in, out, "a list of whole numbers");
}
std::optional<std::string> fit(const Value& in, std::vector<std::int64_t>& out) {
  return fit_list(in, out, "a list of whole numbers");
}
std::optional<std::string> fit(const Value& in, std::vector<double>& out) {
  return fit_list(in, out, "a list of numbers");
}
std::optional<std::string> fit(const Value& in, std::vector<std::string>& out) {
  return fit_list(in, out, "a list of texts");
}
std::optional<std::string> fit(const Value& in, std::vector<std::vector<double>>& out) {
  // One flat list stands for the same list on every level, as in Detectron2.
  std::vector<double> flat;
  const Value value = decoded(in);
  const auto* list = std::get_if<Value::List>(&value.data);
  if (list && !list->empty() && !fit(value, flat)) {
    out = {std::move(flat)};
    return std::nullopt;
  }
  return fit_list(value, out, "a list of lists of numbers");
}
std::optional<std::string> fit(const Value& in, ExpectedResult& out) {
  constexpr const char* kWanted = "[task, metric, value, tolerance]";
  const auto* list = std::get_if<Value::List>(&in.data);
  if (!list || list->size() != 4) return kWanted;
  if (fit((*list)[0], out.task) || fit((*list)[1], out.metric) || fit((*list)[2], out.value) ||
      fit((*list)[3], out.tolerance)) {
    return kWanted;
  }
  return std::nullopt;
}
std::optional<std::string> fit(const Value& in, std::vector<ExpectedResult>& out) {
  return fit_list(in, out, "a list of [task, metric, value, tolerance]");
}
std::optional<std::string> fit(const Value& in, std::map<std::string, std::string>& out) {
  const auto* entries = std::get_if<Value::Entries>(&in.data);
  if (!entries) return "a mapping of NAME: DATA";
  std::map<std::string, std::string> names;
  for (const auto& entry : *entries) {
    if (fit(entry.value, names[entry.name]))
      return "a mapping of NAME: DATA ('" + entry.name + "' is " + describe(entry.value) + ")";
  }
  for (auto& [name, data] : names) out[name] = std::move(data);  // entries of a base file stay
  return std::nullopt;
}

Value to_value(bool in) { return Value(in); }
Value to_value(int in) { return Value(in); }
Value to_value(std::int64_t in) { return Value(in); }
Value to_value(double in) { return Value(in); }
Value to_value(const std::optional<double>& in) { return in ? Value(*in) : Value(); }
Value to_value(const std::string& in) { return Value(in); }
Value to_value(const TrainingTime& in) { return in.in_epochs() ? Value(to_string(in)) : Value(in.iterations()); }
Value to_value(const std::vector<TrainingTime>& in) { return list_of(in); }
Value to_value(const std::vector<bool>& in) {
  Value::List list;
  for (const bool item : in) list.emplace_back(item);
  return Value(std::move(list));
}
Value to_value(const std::vector<int>& in) { return list_of(in); }
Value to_value(const std::vector<std::int64_t>& in) { return list_of(in); }
Value to_value(const std::vector<double>& in) { return list_of(in); }
Value to_value(const std::vector<std::string>& in) { return list_of(in); }
Value to_value(const std::vector<std::vector<double>>& in) { return list_of(in); }
Value to_value(const std::vector<ExpectedResult>& in) {
  Value::List list;
  for (const auto& item : in) list.emplace_back(Value::List{item.task, item.metric, item.value, item.tolerance});
  return Value(std::move(list));
}
Value to_value(const std::map<std::string, std::string>& in) {
  Value::Entries entries;
  for (const auto& [name, data] : in) entries.push_back({name, data});
  return Value(std::move(entries));
}

std::string type_name(const bool&) { return "true or false"; }
std::string type_name(const int&) { return "whole number"; }
std::string type_name(const std::int64_t&) { return "whole number"; }
std::string type_name(const double&) { return "number"; }
std::string type_name(const std::optional<double>&) { return "number or null"; }
std::string type_name(const std::string&) { return "text"; }
std::string type_name(const TrainingTime&) { return "iterations or epochs (`8ep`)"; }
std::string type_name(const std::vector<TrainingTime>&) { return "list of iterations or epochs (`8ep`)"; }
std::string type_name(const std::vector<bool>&) { return "list of truth values"; }
std::string type_name(const std::vector<int>&) { return "list of whole numbers"; }
std::string type_name(const std::vector<std::int64_t>&) { return "list of whole numbers"; }
std::string type_name(const std::vector<double>&) { return "list of numbers"; }
std::string type_name(const std::vector<std::string>&) { return "list of texts"; }
std::string type_name(const std::vector<std::vector<double>>&) { return "list of lists of numbers"; }
std::string type_name(const std::vector<ExpectedResult>&) { return "list of [task, metric, value, tolerance]"; }
std::string type_name(const std::map<std::string, std::string>&) { return "mapping of NAME: DATA"; }

}  // namespace lockstep
