// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/value.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lockstep/config/literal.h"
#include "lockstep/config/scalar.h"

namespace lockstep {
namespace {

constexpr std::size_t kShownText = 60;  // bytes of a text that a message repeats

std::string shown(const std::string& text) {
  if (text.size() <= kShownText) return text;
  std::size_t end = kShownText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a UTF-8 sequence
  return text.substr(0, end) + "...";
}

bool is_plain_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '/' || c == '-';
}

bool is_plain(std::string_view text) {
  if (text.empty() || text.front() == '-') return false;
  if (text == "." || text == ".." || text == "...") return false;
  if (!std::all_of(text.begin(), text.end(), is_plain_character)) return false;
  const Value resolved = resolve_plain_scalar(text);
  return std::holds_alternative<std::string>(resolved.data) && !parse_literal(text);
}

// A text that is itself a quoted Python literal would lose its quotes when it is read; it gets a second pair.
std::string protect_quotes(const std::string& text) {
  const auto literal = parse_literal(text);
  if (!literal || !std::holds_alternative<std::string>(literal->data)) return text;
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

bool operator==(const Value& a, const Value& b) { return a.data == b.data; }
bool operator==(const Value::Entry& a, const Value::Entry& b) { return a.name == b.name && a.value == b.value; }

std::string describe(const Value& value) {
  struct Describer {
    std::string operator()(std::monostate) const { return "nothing (null)"; }
    std::string operator()(bool b) const { return b ? "the truth value true" : "the truth value false"; }
    std::string operator()(std::int64_t i) const { return fmt::format("the whole number {}", i); }
    std::string operator()(double d) const { return "the number " + number_text(d); }
    std::string operator()(const std::string& s) const { return "the text '" + shown(s) + "'"; }
    std::string operator()(const Value::List& list) const {
      return list.empty() ? "an empty list" : fmt::format("a list of {}", list.size());
    }
    std::string operator()(const Value::Entries& entries) const {
      return fmt::format("a mapping of {} {}", entries.size(), entries.size() == 1 ? "key" : "keys");
    }
  };
  return std::visit(Describer{}, value.data);
}

std::string number_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  std::string text = fmt::format("{}", value);
  if (text.find('.') != std::string::npos) return text;
  const std::size_t exponent = text.find('e');
  text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  return text;
}

std::string yaml_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string to_flow_yaml(const Value& value) {
  struct Writer {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(double d) const { return number_text(d); }
    std::string operator()(const std::string& s) const { return yaml_text(protect_quotes(s)); }
    std::string operator()(const Value::List& list) const {
      std::string out = "[";
      for (std::size_t i = 0; i < list.size(); ++i) out += (i ? ", " : "") + to_flow_yaml(list[i]);
      return out + "]";
    }
    std::string operator()(const Value::Entries& entries) const {
      std::string out = "{";
      for (std::size_t i = 0; i < entries.size(); ++i) {
        out += (i ? ", " : "") + yaml_text(entries[i].name) + ": " + to_flow_yaml(entries[i].value);
      }
      return out + "}";
    }
  };
  return std::visit(Writer{}, value.data);
}

}  // namespace lockstep
