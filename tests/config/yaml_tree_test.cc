// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/yaml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config_test_support.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error(const std::string& text) {
  return testing::error_of([&] { read_yaml(text, "a.yaml"); });
}
std::string flow(const std::string& text) { return to_flow_yaml(to_value(read_yaml(text, "a.yaml"))); }

TEST(YamlTree, ReadsBomCrlfAndEmptyFiles) {
  EXPECT_EQ(flow("\xEF\xBB\xBF"
                 "A: 1\r\nB: x\r\n"),
            "{A: 1, B: x}");
  EXPECT_EQ(flow("A: 1\rB: 2"), "{A: 1, B: 2}");
  for (const char* empty : {"", "\n", "# only a comment\n", "---\n", "---\n...\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(flow(empty), "{}") << empty;
  }
  EXPECT_EQ(flow("---\nA: 1\n...\n# end\n"), "{A: 1}");
}

TEST(YamlTree, ReadsEveryEscapeAsUtf8) {
  const YamlNode root = read_yaml(R"(A: "\N\_\L\P\x85\xE9\u20ac\U0001F600é\N")", "a.yaml");
  EXPECT_EQ(root.members.at(0).value.scalar, Value("\u0085\u00A0\u2028\u2029\u0085\u00E9\u20AC\U0001F600\u00E9\u0085"));
  EXPECT_THAT(error(R"(A: "\uD800")"), StartsWith("a.yaml:1:"));
}

TEST(YamlTree, KnowsPlacesAndQuotes) {
  const YamlNode root = read_yaml("A:\n  B: '1'\n", "a.yaml");
  const auto& inner = root.members.at(0).value.members.at(0);
  EXPECT_EQ(inner.mark.line, 2);
  EXPECT_EQ(inner.mark.column, 3);
  EXPECT_EQ(inner.value.mark.column, 6);
  EXPECT_EQ(inner.value.scalar, Value("1"));
}

TEST(YamlTree, AppliesMergesAndAliases) {
  EXPECT_EQ(flow("X: &x {A: 1, B: 2}\nY:\n  <<: *x\n  B: 3\n"), "{X: {A: 1, B: 2}, Y: {B: 3, A: 1}}");
  EXPECT_EQ(flow("X: &x {A: 1}\nZ: &z {A: 2, C: 3}\nY:\n  <<: [*x, *z]\n"),
            "{X: {A: 1}, Z: {A: 2, C: 3}, Y: {A: 1, C: 3}}");
  EXPECT_EQ(error("Y:\n  <<: 3\n"), "a.yaml:2:3: found a '<<' whose value is no mapping, wanted an alias to one");
}

TEST(YamlTree, RefusesWhatTheLibraryMisreads) {
  EXPECT_EQ(error("A: 1\n---\nA: 2\n"),
            "a.yaml:2:1: found a second YAML document, wanted one document per file; put it into a file of its own");
  EXPECT_EQ(error("A: 1\n...\nB: 2\n"),
            "a.yaml:3:1: found a second YAML document, wanted one document per file; put it into a file of its own");
  EXPECT_EQ(error("A: 1\nB: \xff\n"),
            "a.yaml:2:4: found the byte 0xff, which is not UTF-8, wanted a text file in UTF-8; save it as UTF-8");
  EXPECT_EQ(
      error("A: \xC0\xAF\n"),
      "a.yaml:1:4: found the byte 0xc0, which is not UTF-8, wanted a text file in UTF-8; save it as UTF-8");  // overlong
  EXPECT_EQ(
      error("A: \xED\xA0\x80\n"),
      "a.yaml:1:4: found the byte 0xed, which is not UTF-8, wanted a text file in UTF-8; save it as UTF-8");  // surrogate
  EXPECT_EQ(error(std::string("A: \0", 4)),
            "a.yaml:1:4: found the control character 0x00, wanted text; is this a YAML file?");
  EXPECT_EQ(error("A:\n\tB: 1\n"),
            "a.yaml:2:1: found a tab in the indentation, wanted spaces only (YAML forbids tabs there)");
  EXPECT_EQ(error("A: 1\nB: 2\nA: 3\n"),
            "a.yaml:3:1: found the key 'A' a second time (first at line 1), wanted it once");
  EXPECT_EQ(error(","), "a.yaml: found text after the end of the document's mapping, wanted one mapping of KEY: value");
  EXPECT_EQ(error("just words\n"),
            "a.yaml: found a document that is not a mapping, wanted KEY: value lines (see docs/config.md)");
  EXPECT_EQ(error("[1, 2]\n"),
            "a.yaml: found a document that is not a mapping, wanted KEY: value lines (see docs/config.md)");
  EXPECT_EQ(error("A: [1, 2\n"), "a.yaml:2:1: this is not YAML: end of sequence flow not found");
  EXPECT_EQ(error("? [a]\n: 1\n"), "a.yaml:1:3: found a key that is not a name, wanted NAME: value");
  EXPECT_EQ(error("A: *nowhere\n"), "a.yaml:1:4: this is not YAML: the referenced anchor is not defined");
  EXPECT_EQ(error("A: &a [*a]\n"), "a.yaml:1:8: found an alias to a node that contains it, wanted a finished node");
}

TEST(YamlTree, RefusesTagsByName) {
  EXPECT_EQ(error("A: !!python/object/apply:os.system [\"ls\"]\n"),
            "a.yaml:1:4: found the YAML tag 'tag:yaml.org,2002:python/object/apply:os.system', wanted a plain value; "
            "the one tag that is read is !!python/object/apply:eval with a list of arithmetic");
  EXPECT_EQ(error("A: !mine 3\n"),
            "a.yaml:1:4: found the YAML tag '!mine', wanted a plain value; the one tag that is read is "
            "!!python/object/apply:eval with a list of arithmetic");
  EXPECT_EQ(error("A: !!python/object/apply:eval [\"open('x')\"]\n"),
            "found 'o' at character 1 of the expression 'open('x')', wanted a number or a name bound by 'for'; only "
            "numbers, + - * / **, brackets and 'for NAME in LIST' are read\n  at a.yaml:1:32");
  EXPECT_EQ(error("A: !!python/object/apply:eval 3\n"),
            "a.yaml:1:4: found a !!python/object/apply:eval without one text in brackets, wanted [\"...\"]");
  EXPECT_EQ(flow("A: !!python/object/apply:eval [\"[x * 2 for x in [1, 2]]\"]\n"), "{A: [2, 4]}");
}

TEST(YamlTree, IsBounded) {
  std::string bomb = "A0: &a0 [1,1,1,1,1,1,1,1,1,1]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string name = "*a" + std::to_string(i - 1);
    bomb += "A" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k ? "," : "") + name;
    bomb += "]\n";
  }
  EXPECT_EQ(error(bomb), "a.yaml: found aliases that expand to more than 100000 nodes or 64 levels, wanted a config");
  EXPECT_EQ(error("A: " + std::string(100, '[') + std::string(100, ']')),
            "a.yaml:1:67: found nesting deeper than 64 levels, wanted a config");
  EXPECT_EQ(error("A: " + std::string(100000, '[')),
            "a.yaml:1:36: found nesting deeper than 64 levels, wanted a config");
  EXPECT_EQ(error("A: " + std::string(100000, '{')),
            "a.yaml:1:67: found nesting deeper than 64 levels, wanted a config");
  EXPECT_EQ(error("# " + std::string(2 << 20, 'x')),
            "a.yaml: found 2097154 bytes, wanted a config of at most 1048576 bytes; is this a YAML file?");
}

}  // namespace
}  // namespace lockstep
