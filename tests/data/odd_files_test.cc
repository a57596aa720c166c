// SPDX-License-Identifier: Apache-2.0
// Odd annotation files as people report them, one of each kind, and what becomes of them: read with the boxes left and
// the rules that spoke, or refused with a text.
#include <gtest/gtest.h>

#include <set>

#include "data/data_test_util.h"
#include "data/odd_files.h"
#include "lockstep/data/data_spec.h"

namespace lockstep {
namespace {

std::string rules_of(const DataReport& report) {
  std::string names;
  for (const RuleInfo& rule : rule_table()) {
    if (report.count(rule.rule) > 0)
      names += fmt::format("{}{}:{}", names.empty() ? "" : " ", rule.name, report.count(rule.rule));
  }
  return names;
}

std::size_t boxes_in(const Dataset& dataset) {
  std::size_t boxes = 0;
  for (const ImageRecord& image : dataset.images) boxes += image.boxes.size();
  return boxes;
}

class OddFile : public testing::TestWithParam<OddCase> {};

TEST_P(OddFile, EndsAsStated) {
  const OddCase& odd = GetParam();
  const TempDir dir;
  const std::string data = write_odd_case(odd, dir.file("data"));
  if (!odd.error.empty()) {
    const std::string text = error_of(ErrorKind::kData, [&] {
      DataReport report;
      load_dataset({data}, {}, DataSplit::kTrain, report);
    });
    EXPECT_THAT(text, testing::HasSubstr(odd.error));
    EXPECT_THAT(text, testing::HasSubstr(dir.path())) << "the file is not named";
    if (odd.rules.empty()) return;  // nothing can be read at all
  }
  DataReport report(DataReport::Mode::kCollect);
  const Dataset dataset = load_dataset({data}, {}, DataSplit::kTrain, report);
  EXPECT_EQ(rules_of(report), odd.rules);
  EXPECT_EQ(boxes_in(dataset), odd.boxes);
  for (const ImageRecord& image : dataset.images) {
    for (const GroundTruthBox& box : image.boxes) {
      EXPECT_TRUE(box.x1 >= 0 && box.y1 >= 0 && box.x2 <= static_cast<float>(image.width) &&
                  box.y2 <= static_cast<float>(image.height) && box.x1 < box.x2 && box.y1 < box.y2);
      EXPECT_LT(static_cast<std::size_t>(box.class_index), dataset.categories.size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, OddFile, testing::ValuesIn(odd_cases()),
                         [](const auto& one) { return one.param.name; });

TEST(OddFiles, ThereAreManyAndEachHasAName) {
  std::set<std::string> names;
  for (const OddCase& odd : odd_cases()) EXPECT_TRUE(names.insert(odd.name).second) << odd.name;
  EXPECT_GE(names.size(), 60u);
}

}  // namespace
}  // namespace lockstep
