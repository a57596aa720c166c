// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "ops/op_checks.h"
#include "ops/operator_docs.h"

namespace lockstep {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The words X of the lines "<before>X_schema());" of a file, in order.
std::vector<std::string> listed_schemas(const std::string& file, const std::string& before) {
  std::istringstream lines(read_text(std::string(LOCKSTEP_SOURCE_DIR) + "/src/lockstep/ops/" + file));
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find(before);
    const std::size_t end = line.find("_schema(");
    if (start == std::string::npos || end == std::string::npos) continue;
    found.push_back(line.substr(start + before.size(), end - start - before.size()));
  }
  return found;
}

TEST(Catalog, EveryOperatorIsDocumented) {
  for (const std::string& type : all_operators().types()) {
    const OpSchema& schema = all_operators().find(type);
    EXPECT_GT(schema.documentation().size(), 20u) << type;
    EXPECT_FALSE(schema.inputs().empty() && schema.outputs().empty()) << type;
    for (const auto& slot : schema.inputs()) EXPECT_FALSE(slot.doc.empty()) << type << " input " << slot.name;
    for (const auto& slot : schema.outputs()) EXPECT_FALSE(slot.doc.empty()) << type << " output " << slot.name;
    for (const auto& arg : schema.args()) EXPECT_FALSE(arg.doc.empty()) << type << " argument " << arg.name;
  }
}

TEST(Catalog, EveryOperatorHasInferenceKernelsAndAGradientOrAReason) {
  for (const std::string& type : all_operators().types()) {
    const OpSchema& schema = all_operators().find(type);
    EXPECT_TRUE(schema.has_infer()) << type;
    EXPECT_TRUE(schema.kernel(Engine::kDevice)) << type << " has no cpu kernel";
    EXPECT_TRUE(schema.kernel(Engine::kReference)) << type << " has no reference kernel";
    EXPECT_NE(schema.has_gradient(), !schema.no_gradient_reason().empty())
        << type << " needs a gradient rule or a reason why there is none, not both";
  }
}

// Gradient operators are covered by the cases of their forward operators.
TEST(Catalog, EveryOperatorHasACase) {
  std::set<std::string> covered;
  for (const OpCase& one : all_cases()) {
    for (const OpRun& run : run_case(one, one.inputs, one.differentiable).runs) covered.insert(run.def.type());
  }
  for (const std::string& type : all_operators().types()) {
    EXPECT_TRUE(covered.contains(type)) << type << " has no case in tests/ops";
  }
}

TEST(Catalog, CaseNamesAreUnique) {
  std::set<std::string> names;
  for (const OpCase& one : all_cases()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
}

TEST(Catalog, ListsAreSortedAndComplete) {
  OpCatalog room;
  register_ops(room);
  for (const auto& [file, before] : {std::pair<std::string, std::string>{"catalog.cc", "catalog.add("},
                                     std::pair<std::string, std::string>{"schemas.h", "OpSchema "}}) {
    const std::vector<std::string> listed = listed_schemas(file, before);
    EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end())) << file;
    EXPECT_EQ(listed.size(), room.types().size()) << file;
  }
}

TEST(Catalog, OperatorsPageIsCurrent) {
  const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/docs/operators.md";
  const std::string wanted = operators_markdown(all_operators());
  if (std::getenv("LOCKSTEP_UPDATE_DOCS") != nullptr) std::ofstream(path) << wanted;
  EXPECT_EQ(read_text(path), wanted) << "run ops_test --gtest_filter=Catalog.* with LOCKSTEP_UPDATE_DOCS=1";
}

}  // namespace
}  // namespace lockstep
