// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {

std::vector<OpCase> scale_cases() {
  std::vector<OpCase> cases;
  OpCase& one = cases.emplace_back();
  one.name = "Scale";
  one.type = "Scale";
  one.args = {arg("scale", 2.0)};
  one.inputs = tensors(random_tensor({2, 5, 3, 4}, 1));
  one.differentiable = {0};
  one.variants.push_back(tensors(random_tensor({0, 9}, 2)));
  one.errors.push_back({"argument 'scale' must be of kind float", {}, std::vector<Argument>{arg("scale", "two")}, {}});
  return cases;
}

}  // namespace lockstep
