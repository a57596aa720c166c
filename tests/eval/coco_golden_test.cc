// SPDX-License-Identifier: Apache-2.0
// The twelve numbers of pycocotools, bit for bit. tests/eval/data holds three of the cases, ../shared the rest.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lockstep/eval/coco_eval.h"
#include "lockstep/eval/coco_json.h"
#include "lockstep/eval/report.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> cases_in(const fs::path& folder) {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(folder)) cases.push_back(entry.path());
  std::sort(cases.begin(), cases.end());
  return cases;
}

// True when the case is about boxes; checks it then.
bool check_case(const fs::path& path) {
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.load(path.string());
  if (std::string_view(root["type"]) != "bbox") return false;
  const fs::path folder = fs::path(testing::TempDir());
  const fs::path truth = folder / ("lockstep_gt_" + path.filename().string());
  const fs::path results = folder / ("lockstep_results_" + path.filename().string());
  std::ofstream(truth) << simdjson::to_string(simdjson::dom::element(root["gt"]));
  std::ofstream(results) << simdjson::to_string(simdjson::dom::element(root["results"]));
  const CocoStats stats = evaluate_boxes(read_coco_ground_truth(truth), read_coco_results(results));
  std::size_t i = 0;
  for (const double wanted : simdjson::dom::array(root["stats"])) {
    EXPECT_EQ(stats.values.at(i), wanted) << path.filename() << ' ' << coco_stat_names().at(i);
    ++i;
  }
  EXPECT_EQ(i, 12U);
  fs::remove(truth);
  fs::remove(results);
  return true;
}

TEST(CocoGolden, CasesOfTheRepository) {
  int boxes = 0;
  for (const fs::path& path : cases_in(fs::path(LOCKSTEP_SOURCE_DIR) / "tests/eval/data")) boxes += check_case(path);
  EXPECT_EQ(boxes, 3);
}

TEST(CocoGolden, AllCases) {
  const fs::path folder = fs::path(LOCKSTEP_SOURCE_DIR) / "../shared/goldens/cocoeval";
  if (!fs::exists(folder)) GTEST_SKIP() << "no ../shared beside the project";
  int boxes = 0;
  for (const fs::path& path : cases_in(folder)) boxes += check_case(path);
  EXPECT_GE(boxes, 25);
}

}  // namespace
}  // namespace lockstep
