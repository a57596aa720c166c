// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/json_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace lockstep {
namespace {

TEST(JsonText, QuotesAndEscapes) {
  EXPECT_EQ(json_quote("a \"b\" \\ \n\t\x01 \xc3\xa9"), "\"a \\\"b\\\" \\\\ \\n\\t\\u0001 \xc3\xa9\"");
}

TEST(JsonText, NumbersAreShortestAndNeverInvalid) {
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(3), "3");
  EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
}

}  // namespace
}  // namespace lockstep
