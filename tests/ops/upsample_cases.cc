// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {

std::vector<OpCase> upsample_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "UpsampleNearest";
    one.inputs = tensors(random_tensor({2, 9, 3, 4}, 1));
    one.differentiable = {0};
    one.variants.push_back(tensors(random_tensor({0, 9, 3, 4}, 1)));
    one.errors.push_back(
        {"[UpsampleNearest] input 'X' must have 4 axes, got f32[3]", tensors(random_tensor({3}, 1)), {}, {}});
    one.errors.push_back(
        {"argument 'scale' must lie in [1, 64], got 0", {}, std::vector<Argument>{arg("scale", 0)}, {}});
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = "UpsampleNearestBy3";
    one.type = "UpsampleNearest";
    one.args = {arg("scale", 3)};
    one.inputs = tensors(random_tensor({1, 17, 2, 3}, 1));
    one.differentiable = {0};
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "UpsampleNearestGradient";
    one.inputs = tensors(random_tensor({1, 3, 4, 6}, 1));
    one.errors.push_back({"[UpsampleNearestGradient] input 'dY' must have sides divisible by 2, got f32[1,3,4,5]",
                          tensors(random_tensor({1, 3, 4, 5}, 1)),
                          {},
                          {}});
  }
  return cases;
}

}  // namespace lockstep
