// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/json_places.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep {
namespace {

// "line:column what", or "valid".
std::string fault_of(const std::string& text) {
  const auto fault = find_json_fault(text);
  return fault ? to_string(place_in(text, fault->offset)) + " " + fault->what : "valid";
}

TEST(JsonFault, LetsThroughWhatIsJson) {
  for (const char* text : {"0", "-0.5e-3", " [ ] ", "{}", "[1, -2, 3.25, 1E5, 1e+5]",
                           R"({"a": {"b": [true, false, null]}})", R"("\u00e9 \ud83d\ude00 \" \\ \/ \b\f\n\r\t é 😀")",
                           "\xEF\xBB\xBF\r\n\t[1]", "18446744073709551615", "-9223372036854775808", "1e-400"}) {
    EXPECT_EQ(fault_of(text), "valid") << text;
  }
}

TEST(JsonFault, NamesThePlaceAndWhatIsWrong) {
  struct Case {
    const char *text, *fault;
  };
  for (const Case& one : {
           Case{"", "1:1 the file ends where a value is wanted"},
           Case{"{\n  \"a\": NaN\n}", "2:8 found 'NaN', wanted a value (JSON has no NaN and no Infinity)"},
           Case{"[-Infinity]", "1:3 found 'Infinity', wanted a value (JSON has no NaN and no Infinity)"},
           Case{"{} {}", "1:4 the data are followed by something else ('{')"},
           Case{"{}\n\nx", "3:1 the data are followed by something else ('x')"},
           Case{"[1,,2]", "1:4 found ',', wanted a value"},
           Case{"[1, 2,]", "1:7 found ']', wanted a value"},
           Case{"[1 2]", "1:4 found '2', wanted ',' or ']'"},
           Case{"[1, 2", "1:6 the file ends where ',' or ']' is wanted"},
           Case{"{\"a\" 1}", "1:6 found '1', wanted ':'"},
           Case{"{\"a\": 1,}", "1:9 found '}', wanted a key in double quotes"},
           Case{"{a: 1}", "1:2 found 'a', wanted a key in double quotes"},
           Case{"{\"a\": 1]", "1:8 found ']', wanted ',' or '}'"},
           Case{"['a']", "1:2 found ''', wanted a value (texts stand in double quotes)"},
           Case{"[True]", "1:2 found 'True', wanted a value"},
           Case{"[nul]", "1:2 found 'nul', wanted a value"},
           Case{"[nulls]", "1:2 found 'nulls', wanted a value"},
           Case{"[01]", "1:2 found a number that begins with 0, wanted none in front"},
           Case{"[1.]", "1:4 found ']', wanted a digit"},
           Case{"[.5]", "1:2 found '.', wanted a value"},
           Case{"[+1]", "1:2 found '+', wanted a value"},
           Case{"[1.2.3]", "1:5 found '.', wanted the end of the number"},
           Case{"[1e]", "1:4 found ']', wanted a digit"},
           Case{"[1x]", "1:3 found 'x', wanted the end of the number"},
           Case{"[18446744073709551616]", "1:2 found an integer of more than 64 bits"},
           Case{"[1e400]", "1:2 found a number beyond 1.8e308"},
           Case{"[\"é\", \"a", "1:9 the file ends within a text"},
           Case{"[\"a\nb\"]", "1:4 found control character 0x0A in a text; wanted it escaped (\\u000a)"},
           Case{"[\"\\x\"]", "1:3 found the escape \\ and 'x'"},
           Case{"[\"\\u12g4\"]", "1:7 found 'g', wanted four hexadecimal digits behind \\u"},
           Case{"[\"\\ud800 \"]", "1:3 found half of a surrogate pair in a text"},
           Case{"[\"\\udc00\"]", "1:3 found half of a surrogate pair in a text"},
           Case{"[\"\xC3(\"]", "1:3 found byte 0xC3, which is not UTF-8 in a text"},
           Case{"[\xFF]", "1:2 found byte 0xFF, which is not UTF-8, wanted a value"},
           Case{"\xEF\xBB\xBF[1,]", "1:4 found ']', wanted a value"},
       }) {
    EXPECT_EQ(fault_of(one.text), one.fault) << one.text;
  }
  EXPECT_EQ(fault_of(std::string(1025, '[')), "1:1025 more than 1024 lists and objects within one another");
  EXPECT_EQ(fault_of(std::string(1024, '[') + std::string(1024, ']')), "valid");
  EXPECT_EQ(fault_of(std::string("[1\0]", 4)), "1:3 found control character 0x00, wanted ',' or ']'");
}

TEST(JsonPlaces, CountsCharactersAndLines) {
  const std::string text =
      "\xEF\xBB\xBF"
      "é\nab\r\nc";
  EXPECT_EQ(to_string(place_in(text, 3)), "1:1");
  EXPECT_EQ(to_string(place_in(text, 5)), "1:2");  // behind the two bytes of é
  EXPECT_EQ(to_string(place_in(text, 7)), "2:2");
  EXPECT_EQ(to_string(place_in(text, 10)), "3:1");
  EXPECT_EQ(to_string(place_in(text, 0)), "1:1");
  EXPECT_EQ(to_string(place_in(text, 1000)), "3:2");
}

TEST(JsonPlaces, FindsValuesOfRecords) {
  const std::string text =
      "{\"info\": {\"images\": [7]},\n \"images\": [\n  {\"id\": 1, \"b\": [2, {\"id\": 3}], \"id\": 4},\n  5]}";
  const JsonLists lists(text);
  const auto place = [&](auto... path) { return to_string(place_in(text, lists.offset(path...))); };
  EXPECT_EQ(place("images"), "2:12");
  EXPECT_EQ(place("images", 0, "id"), "3:10");  // the first of two, as parsers look it up
  EXPECT_EQ(place("images", 0, "b"), "3:18");
  EXPECT_EQ(place("images", 0, "none"), "3:3");
  EXPECT_EQ(place("images", 1, "id"), "4:3");
  EXPECT_EQ(place("images", 2, "id"), "2:12");
  EXPECT_EQ(place("info"), "1:10");
  EXPECT_EQ(place("none", 0, "id"), "1:1");
  EXPECT_EQ(JsonLists(" [1]").offset("images"), 1u);
}

}  // namespace
}  // namespace lockstep
