// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/data_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

RuleExample example() { return {"a.json", "annotation 3", "has no 'bbox'"}; }

TEST(RuleTable, IsInTheOrderOfTheEnumAndDocumented) {
  std::set<std::string_view> names;
  ASSERT_EQ(rule_table().size(), static_cast<std::size_t>(Rule::kCount));
  for (std::size_t i = 0; i < rule_table().size(); ++i) {
    const RuleInfo& rule = rule_table()[i];
    EXPECT_EQ(static_cast<std::size_t>(rule.rule), i) << rule.name;
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_GT(rule.doc.size(), 10u) << rule.name;
    EXPECT_TRUE(rule.doc.ends_with('.')) << rule.name;
    EXPECT_EQ(rule.doc.find('|'), std::string_view::npos) << rule.name;
    EXPECT_GT(rule.message.size(), 5u) << rule.name;
  }
}

// docs/data.md holds the rules between these two lines.
TEST(RuleTable, StandsInTheDataPage) {
  const std::string page = LOCKSTEP_SOURCE_DIR "/docs/data.md";
  const std::string begin = "<!-- rules: made from the table in the program -->\n", end = "<!-- end of rules -->";
  std::ostringstream read;
  read << std::ifstream(page, std::ios::binary).rdbuf();
  std::string text = read.str();
  const std::size_t from = text.find(begin), to = text.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to);
  const std::size_t start = from + begin.size();
  if (std::getenv("LOCKSTEP_UPDATE_DOCS") != nullptr) {
    text.replace(start, to - start, "\n" + rules_reference() + "\n");
    std::ofstream(page, std::ios::binary) << text;
  }
  EXPECT_EQ(text.substr(start, text.find(end) - start), "\n" + rules_reference() + "\n")
      << "docs/data.md is out of date; run this test once with LOCKSTEP_UPDATE_DOCS=1";
}

TEST(DataReport, CountsAllAndKeepsTheFirstExamples) {
  DataReport report(DataReport::Mode::kCollect);
  report.begin("a.json");
  int described = 0;
  for (int i = 0; i < 20; ++i) {
    report.hit(Rule::kBoxClipped, [&] {
      ++described;
      return RuleExample{"a.json", fmt::format("annotation {}", i), ""};
    });
  }
  EXPECT_EQ(report.count(Rule::kBoxClipped), 20);
  EXPECT_EQ(described, 5);
  EXPECT_EQ(report.sources()[0].of(Rule::kBoxClipped).examples.back().record, "annotation 4");
  EXPECT_EQ(report.count(Policy::kFix), 20);
  EXPECT_THAT(report.text(), HasSubstr("fix       20  box-clipped: boxes clipped to their image\n"));
  EXPECT_THAT(report.json(), HasSubstr(R"("rule": "box-clipped", "policy": "fix", "count": 20)"));
}

TEST(DataReport, StopsAtTheFirstFailureUnlessItCollects) {
  DataReport stops;
  stops.begin("a.json");
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { stops.hit(Rule::kAnnotationMalformed, example); }),
              HasSubstr("annotation 3 of a.json has no 'bbox'"));
  DataReport collects(DataReport::Mode::kCollect);
  collects.begin("a.json");
  collects.hit(Rule::kAnnotationMalformed, example);
  EXPECT_EQ(collects.count(Policy::kFail), 1);
}

TEST(DataReport, NeverSwallowsTheSystemsErrors) {
  DataReport report(DataReport::Mode::kCollect);
  report.begin("a.json");
  EXPECT_THAT(
      error_of(ErrorKind::kIo,
               [&] { report.fail(Rule::kAnnotationMalformed, Error(ErrorKind::kIo, "no permission"), "a", "b"); }),
      HasSubstr("no permission"));
}

TEST(DataReport, LogsWhatConcernsARun) {
  const LogCapture log;
  DataReport report;
  report.begin("a.json");
  report.hit(Rule::kBoxClipped, example);
  report.hit(Rule::kBoxTwice, example);
  report.log();
  EXPECT_THAT(log.text(), HasSubstr("a.json: 1 boxes clipped to their image (first: annotation 3"));
  EXPECT_THAT(log.text(), ::testing::Not(HasSubstr("repeat another")));
}

TEST(DataReport, ShowsMoreWhereMuchIsDropped) {
  const auto logged = [](std::int64_t boxes) {
    const LogCapture log;
    DataReport report;
    report.begin("a.json");
    for (int i = 1; i <= 2; ++i) {
      report.hit(Rule::kBoxOutside, [&] { return RuleExample{"a.json", fmt::format("annotation {}", i), ""}; });
    }
    report.set_boxes(boxes);
    report.log();
    return log.text();
  };
  EXPECT_THAT(logged(197), HasSubstr("(first: annotation 1)\n  annotation 2\n"));
  EXPECT_THAT(logged(198), ::testing::Not(HasSubstr("annotation 2")));
}

}  // namespace
}  // namespace lockstep
