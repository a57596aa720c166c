// SPDX-License-Identifier: Apache-2.0
// Values as PyYAML and Python read them (tools/goldens/make_scalar_table.py says what the columns are) against ours.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "config/config_test_support.h"
#include "lockstep/config/literal.h"
#include "lockstep/config/load.h"
#include "lockstep/config/value_codec.h"
#include "lockstep/config/yaml_tree.h"

namespace lockstep {
namespace {

struct Row {
  std::string text;
  std::string yaml;
  std::string literal;
  std::string fits;
};

std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    ++i;
    out += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
  }
  return out;
}

std::vector<Row> rows() {
  std::istringstream lines(
      testing::read_text_file(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/config/goldens/scalars.txt"));
  std::vector<Row> rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream columns(line);
    Row row;
    std::getline(columns, row.text, '\t');
    std::getline(columns, row.yaml, '\t');
    std::getline(columns, row.literal, '\t');
    std::getline(columns, row.fits, '\t');
    row.text = unescaped(row.text);
    rows.push_back(row);
  }
  return rows;
}

std::string canonical(const Value& value) {
  if (std::holds_alternative<std::monostate>(value.data)) return "None";
  if (const auto* b = std::get_if<bool>(&value.data)) return *b ? "True" : "False";
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) return std::to_string(*i);
  if (const auto* d = std::get_if<double>(&value.data)) return fmt::format("float {:.17g}", *d);
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    std::string out;
    for (const char c : *text) {
      if (c == '\\' || c == '"') out += '\\';
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
    }
    return "\"" + out + "\"";
  }
  if (const auto* list = std::get_if<Value::List>(&value.data)) {
    std::string out;
    for (const Value& item : *list) out += (out.empty() ? "" : ", ") + canonical(item);
    return "[" + out + "]";
  }
  std::string out;
  for (const auto& entry : std::get<Value::Entries>(value.data)) {
    out += (out.empty() ? "" : ", ") + canonical(Value(entry.name)) + ": " + canonical(entry.value);
  }
  return "{" + out + "}";
}

// Where we differ from Python on purpose. A date, bytes, a complex number, a set or a mapping in a text is no value of
// any key and stays a text; so does arithmetic with brackets or a comment inside a text. A whole number beyond 64 bits
// is the nearest double. The tag "!" makes a text, as the YAML specification says.
const std::map<std::string, Row>& differences() {
  static const std::map<std::string, Row> table = [] {
    const std::vector<Row> rows = {
        {"2001-12-14", "\"2001-12-14\"", "\"2001-12-14\"", "s"},
        {"2001-12-14T21:59:43.10Z", "\"2001-12-14T21:59:43.10Z\"", "\"2001-12-14T21:59:43.10Z\"", "s"},
        {"[2001-12-14]", "[\"2001-12-14\"]", "[\"2001-12-14\"]", "t"},
        {"1j", "\"1j\"", "\"1j\"", "s"},
        {"1+2j", "\"1+2j\"", "\"1+2j\"", "s"},
        {"\"b'a'\"", "\"b'a'\"", "\"b'a'\"", "s"},
        {"'{1: 2}'", "\"{1: 2}\"", "\"{1: 2}\"", "s"},
        {"'{1}'", "\"{1}\"", "\"{1}\"", "s"},
        {"'{}'", "\"{}\"", "\"{}\"", "s"},
        {"'...'", "\"...\"", "\"...\"", "s"},
        {"'1 # 2'", "\"1 # 2\"", "\"1 # 2\"", "s"},
        {"-(1)", "\"-(1)\"", "\"-(1)\"", "s"},
        {"9223372036854775808", "float 9.2233720368547758e+18", "float 9.2233720368547758e+18", "f"},
        {"-9223372036854775809", "float -9.2233720368547758e+18", "float -9.2233720368547758e+18", "f"},
        {"'99999999999999999999'", "\"99999999999999999999\"", "float 1e+20", "fs"},
        {"! 1", "\"1\"", "1", "ifs"},
    };
    std::map<std::string, Row> by_text;
    for (const Row& row : rows) by_text.emplace(row.text, row);
    return by_text;
  }();
  return table;
}

// The row of the golden table, or ours where that differs on purpose.
std::vector<Row> wanted_rows() {
  std::vector<Row> out = rows();
  for (Row& row : out) {
    const auto ours = differences().find(row.text);
    if (ours != differences().end()) row = ours->second;
  }
  return out;
}

Value read(const std::string& text) {
  const YamlNode root = read_yaml("KEY: " + text, "a.yaml");
  EXPECT_EQ(root.members.size(), 1U) << text;
  return to_value(root.members.at(0).value);
}

Value as_literal(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  return text ? parse_literal(*text).value_or(value) : value;
}

template <typename T>
bool fits_type(const Value& value) {
  T out{};
  return !fit(value, out);
}

TEST(ScalarTable, HoldsManyValues) { EXPECT_GE(rows().size(), 300U); }

TEST(ScalarTable, EveryDifferenceIsOne) {
  std::size_t found = 0;
  for (const Row& row : rows()) {
    const auto ours = differences().find(row.text);
    if (ours == differences().end()) continue;
    ++found;
    EXPECT_FALSE(row.yaml == ours->second.yaml && row.literal == ours->second.literal && row.fits == ours->second.fits)
        << "'" << row.text << "'";
  }
  EXPECT_EQ(found, differences().size());
}

TEST(ScalarTable, IsReadAsPyYamlReadsIt) {
  for (const Row& row : wanted_rows()) EXPECT_EQ(canonical(read(row.text)), row.yaml) << "'" << row.text << "'";
}

TEST(ScalarTable, TextsAreReadAsPythonLiterals) {
  for (const Row& row : wanted_rows()) {
    EXPECT_EQ(canonical(as_literal(read(row.text))), row.literal) << "'" << row.text << "'";
  }
}

TEST(ScalarTable, FitsTheTypesThatLoseNothing) {
  for (const Row& row : wanted_rows()) {
    const Value value = read(row.text);
    std::string fits;
    if (fits_type<bool>(value)) fits += "b";
    if (fits_type<std::int64_t>(value)) fits += "i";
    if (fits_type<double>(value)) fits += "f";
    if (fits_type<std::string>(value)) fits += "s";
    if (fits_type<std::vector<std::int64_t>>(value)) fits += "l";
    if (fits_type<std::vector<std::string>>(value)) fits += "t";
    EXPECT_EQ(fits.empty() ? "-" : fits, row.fits) << "'" << row.text << "'";
  }
}

// A value that does not fit names what was found and what the key wants, whichever form the value has.
TEST(ScalarTable, MismatchesNameBothSides) {
  struct Case {
    const char* value;
    const char* message;
  };
  const auto expect = [](const std::string& section, const std::string& key, const std::vector<Case>& cases) {
    for (const Case& c : cases) {
      EXPECT_EQ(testing::error_of([&] { config_from_yaml(section + ":\n  " + key + ": " + c.value, "a.yaml"); }),
                "a.yaml:2:3: " + section + "." + key + ": " + c.message);
    }
  };
  expect("MODEL", "MASK_ON",
         {{"1", "found the whole number 1, wanted true or false"},
          {"n", "found the text 'n', wanted true or false"},
          {"~", "found nothing (null), wanted true or false"},
          {"[yes]", "found a list of 1, wanted true or false"}});
  expect("TEST", "DETECTIONS_PER_IMAGE",
         {{"1.5", "found the number 1.5, wanted a whole number"},
          {"yes", "found the truth value true, wanted a whole number"},
          {"08", "found the text '08', wanted a whole number"},
          {"(1,)", "found the text '(1,)', wanted a whole number"},
          {"{a: 1}", "found a mapping of 1 key, wanted a whole number"}});
  expect("SOLVER", "BASE_LR",
         {{"fast", "found the text 'fast', wanted a number"},
          {"2001-12-14", "found the text '2001-12-14', wanted a number"},
          {"True", "found the truth value true, wanted a number"},
          {"-.02", "found the text '-.02', wanted at least 0.0"},
          {"1.0e+400", "found the number .inf, wanted at least 0.0"}});
  expect("MODEL", "WEIGHTS",
         {{"12", "found the whole number 12, wanted a text (put it in quotes)"},
          {"no", "found the truth value false, wanted a text (put it in quotes)"},
          {"1:30", "found the whole number 90, wanted a text (put it in quotes)"},
          {"[a]", "found a list of 1, wanted a text (put it in quotes)"}});
  expect("INPUT", "MIN_SIZE_TRAIN",
         {{"800", "found the whole number 800, wanted a list of whole numbers"},
          {"(800)", "found the text '(800)', wanted a list of whole numbers"},
          {"(640, 1.5)", "found the text '(640, 1.5)', wanted a list of whole numbers (item 1 is the number 1.5)"}});
}

}  // namespace
}  // namespace lockstep
