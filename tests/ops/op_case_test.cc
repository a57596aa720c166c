// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/op_checks.h"

namespace lockstep {
namespace {

class OpCases : public testing::TestWithParam<std::string> {};

// Everything a case promises, for the operator and the gradient operators that its rule makes.
TEST_P(OpCases, Hold) {
  const auto found =
      std::find_if(all_cases().begin(), all_cases().end(), [](const OpCase& one) { return one.name == GetParam(); });
  const OpCase& one = *found;
  SCOPED_TRACE("repro: ops_test --gtest_filter='*OpCases.Hold/" + one.name + "'");
  std::vector<const std::vector<Tensor>*> input_sets = {&one.inputs};
  for (const std::vector<Tensor>& variant : one.variants) input_sets.push_back(&variant);
  for (std::size_t set = 0; set < input_sets.size(); ++set) {
    SCOPED_TRACE(set == 0 ? "the case's inputs" : "variant " + std::to_string(set - 1));
    for (const OpRun& run : run_case(one, *input_sets[set], one.differentiable).runs) {
      std::string described;
      for (const Tensor& input : run.inputs) described += " " + input.describe();
      SCOPED_TRACE("op " + run.def.type() + " of" + described);
      check_value(one, run);
      check_inference(one, run);
      check_layouts(one, run);
      check_in_place(one, run);
      check_determinism(one, run);
    }
    check_finite_differences(one, *input_sets[set]);
    check_needed_subsets(one, *input_sets[set]);
  }
  check_shape_changes(one);
  check_errors(one);
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const OpCase& one : all_cases()) names.push_back(one.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Ops, OpCases, testing::ValuesIn(case_names()),
                         [](const testing::TestParamInfo<std::string>& one) { return one.param; });

}  // namespace
}  // namespace lockstep
