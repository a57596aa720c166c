// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/literal.h"

#include <gtest/gtest.h>

#include "config/config_test_support.h"
#include "lockstep/config/list_expression.h"

namespace lockstep {
namespace {

using List = Value::List;

TEST(Literal, ReadsWhatPythonReads) {
  EXPECT_EQ(parse_literal("(\"coco_2017_train\",)"), Value(List{"coco_2017_train"}));
  EXPECT_EQ(parse_literal("(60000, 80000)"), Value(List{60000, 80000}));
  EXPECT_EQ(parse_literal("[[32], [64.0]]"), Value(List{List{32}, List{64.0}}));
  EXPECT_EQ(parse_literal("(1)"), Value(1));
  EXPECT_EQ(parse_literal("1, 2"), Value(List{1, 2}));
  EXPECT_EQ(parse_literal("()"), Value(List{}));
  EXPECT_EQ(parse_literal("1e-3"), Value(1e-3));
  EXPECT_EQ(parse_literal("- 1_000"), Value(-1000));
  EXPECT_EQ(parse_literal("0o17"), Value(15));
  EXPECT_EQ(parse_literal("None"), Value());
  EXPECT_EQ(parse_literal(" True"), Value(true));
  EXPECT_EQ(parse_literal("'a' \"b\""), Value("ab"));
  EXPECT_EQ(parse_literal("'\\u00e9\\n'"), Value("\xC3\xA9\n"));
  EXPECT_EQ(parse_literal("r'\\n'"), Value("\\n"));
}

TEST(Literal, LeavesEverythingElseATex) {
  for (const char* text : {"",      "res2", "010", "1__0", "1_",  "true", "(1",
                           "[1 2]", "[,]",  "{1}", "1j",   "--1", "f(1)", "__import__('os')",
                           "'open", "1;2",  "a.b", "0x",   "1e",  "b'x'"}) {
    EXPECT_EQ(parse_literal(text), std::nullopt) << "'" << text << "'";
  }
  EXPECT_EQ(parse_literal(std::string(100000, '(')), std::nullopt);
}

TEST(ListExpression, ComputesRetinaNetsSizes) {
  const Value value = evaluate_list_expression("[[x, x * 2**(1.0/3), x * 2**(2.0/3) ] for x in [32, 64 ]]");
  EXPECT_EQ(value, Value(List{List{32, 32 * 1.2599210498948732, 32 * 1.5874010519681994},
                              List{64, 64 * 1.2599210498948732, 64 * 1.5874010519681994}}));
}

TEST(ListExpression, FollowsPythonsPrecedence) {
  EXPECT_EQ(evaluate_list_expression("-2**2"), Value(-4));
  EXPECT_EQ(evaluate_list_expression("2**-1"), Value(0.5));
  EXPECT_EQ(evaluate_list_expression("2**3**2"), Value(512));
  EXPECT_EQ(evaluate_list_expression("1 - 2 - 3 * 4 / 2"), Value(-7.0));
  EXPECT_EQ(evaluate_list_expression("(1 + 2) * 3"), Value(9));
  EXPECT_EQ(evaluate_list_expression("[[x + y for y in [1, 2]] for x in [10, 20]]"),
            Value(List{List{11, 12}, List{21, 22}}));
}

TEST(ListExpression, RefusesEverythingElse) {
  const auto error = [](const std::string& text) { return testing::error_of([&] { evaluate_list_expression(text); }); };
  EXPECT_EQ(error("__import__('os')"),
            "found '_' at character 1 of the expression '__import__('os')', wanted a number or a name bound by 'for'; "
            "only numbers, + - * / **, brackets and 'for NAME in LIST' are read");
  for (const char* text : {"", "1 +", "[1", "1 / 0", "10**400", "x", "[x for x in 3]", "[x for x in [1] if x]", "1 2",
                           "[1] + [2]", "2 % 3", "2 // 3", "'a'"}) {
    EXPECT_NE(error(text), "no error") << text;
  }
  EXPECT_NE(error(std::string(1000, '(')), "no error");
  EXPECT_NE(error(std::string(1000, '-') + "1"), "no error");
  std::string bomb = "1";
  for (int i = 0; i < 10; ++i) bomb = "[" + bomb + " for x in [1,1,1,1,1,1,1,1,1,1]]";
  EXPECT_NE(error(bomb).find("fewer values"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
