// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scalar.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

// What PyYAML 6 makes of each text.
struct Case {
  const char* text;
  Value value;
};

TEST(PlainScalar, ReadsAsYaml11Does) {
  const Case cases[] = {
      {"", {}},
      {"~", {}},
      {"null", {}},
      {"NULL", {}},
      {"nULL", "nULL"},
      {"yes", true},
      {"on", true},
      {"TRUE", true},
      {"off", false},
      {"No", false},
      {"n", "n"},
      {"y", "y"},
      {"tRue", "tRue"},
      {"0", 0},
      {"-7", -7},
      {"+7", 7},
      {"1_000", 1000},
      {"010", 8},
      {"08", "08"},
      {"0o10", "0o10"},
      {"0x1F", 31},
      {"-0b101", -5},
      {"12:30", 750},
      {"12:60", "12:60"},
      {"1:30.5", 90.5},
      {"1.0", 1.0},
      {"0.", 0.0},
      {".02", 0.02},
      {"-.02", "-.02"},
      {"1e-3", "1e-3"},
      {"1e+3", "1e+3"},
      {"1.0e-3", 0.001},
      {"1.0e3", "1.0e3"},
      {".inf", INFINITY},
      {"-.INF", -INFINITY},
      {"inf", "inf"},
      {"2001-12-14", "2001-12-14"},
      {"9223372036854775807", std::int64_t{9223372036854775807}},
      {"9223372036854775808", 9223372036854775808.0},
      {"(60000, 80000)", "(60000, 80000)"},
  };
  for (const Case& c : cases) EXPECT_EQ(resolve_plain_scalar(c.text), c.value) << "'" << c.text << "'";
  EXPECT_TRUE(std::isnan(std::get<double>(resolve_plain_scalar(".nan").data)));
}

}  // namespace
}  // namespace lockstep
