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
  EXPECT_THAT(error("Y:\n  <<: 3\n"), HasSubstr("a.yaml:2:3: found a '<<' whose value is no mapping"));
}

TEST(YamlTree, RefusesWhatTheLibraryMisreads) {
  EXPECT_THAT(error("A: 1\n---\nA: 2\n"), StartsWith("a.yaml:2:1: found a second YAML document"));
  EXPECT_THAT(error("A: 1\n...\nB: 2\n"), StartsWith("a.yaml:3:1: found a second YAML document"));
  EXPECT_THAT(error("A: 1\nB: \xff\n"), StartsWith("a.yaml:2:4: found the byte 0xff, which is not UTF-8"));
  EXPECT_THAT(error("A: \xC0\xAF\n"), HasSubstr("not UTF-8"));      // overlong
  EXPECT_THAT(error("A: \xED\xA0\x80\n"), HasSubstr("not UTF-8"));  // surrogate
  EXPECT_THAT(error(std::string("A: \0", 4)), StartsWith("a.yaml:1:4: found the control character 0x00"));
  EXPECT_THAT(error("A:\n\tB: 1\n"), StartsWith("a.yaml:2:1: found a tab in the indentation"));
  EXPECT_THAT(error("A: 1\nB: 2\nA: 3\n"), StartsWith("a.yaml:3:1: found the key 'A' a second time (first at line 1)"));
  EXPECT_THAT(error(","), HasSubstr("a.yaml"));
  EXPECT_THAT(error("just words\n"), HasSubstr("a document that is not a mapping"));
  EXPECT_THAT(error("[1, 2]\n"), HasSubstr("a document that is not a mapping"));
  EXPECT_THAT(error("A: [1, 2\n"), StartsWith("a.yaml:"));
  EXPECT_THAT(error("? [a]\n: 1\n"), HasSubstr("a key that is not a name"));
  EXPECT_THAT(error("A: *nowhere\n"), HasSubstr("a.yaml:1:"));
  EXPECT_THAT(error("A: &a [*a]\n"), HasSubstr("an alias to a node that contains it"));
}

TEST(YamlTree, RefusesTagsByName) {
  EXPECT_THAT(error("A: !!python/object/apply:os.system [\"ls\"]\n"),
              HasSubstr("a.yaml:1:4: found the YAML tag 'tag:yaml.org,2002:python/object/apply:os.system'"));
  EXPECT_THAT(error("A: !mine 3\n"), HasSubstr("found the YAML tag '!mine'"));
  EXPECT_THAT(error("A: !!python/object/apply:eval [\"open('x')\"]\n"), HasSubstr("only numbers"));
  EXPECT_THAT(error("A: !!python/object/apply:eval 3\n"), HasSubstr("wanted [\"...\"]"));
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
  EXPECT_THAT(error(bomb), HasSubstr("found aliases that expand to more than 100000 nodes"));
  EXPECT_THAT(error("A: " + std::string(100, '[') + std::string(100, ']')), HasSubstr("nesting deeper than 64"));
  EXPECT_THAT(error("A: " + std::string(100000, '[')), StartsWith("a.yaml:"));
  EXPECT_THAT(error("A: " + std::string(100000, '{')), StartsWith("a.yaml:"));
  EXPECT_THAT(error("# " + std::string(2 << 20, 'x')), HasSubstr("wanted a config of at most 1048576 bytes"));
}

}  // namespace
}  // namespace lockstep
