// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {

std::vector<OpCase> copy_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "Copy";
    one.inputs = tensors(random_tensor({2, 5, 3, 4}, 1));
    one.differentiable = {0};
    one.tolerance = 0.0;
    one.variants.push_back(tensors(random_tensor({0, 4}, 1)));
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = "CopyOfIntegers";
    one.type = "Copy";
    one.inputs = tensors(int_tensor({3}, {1, -2, 3}));
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "StopGradient";
    one.inputs = tensors(random_tensor({2, 5, 3, 4}, 1));
    one.tolerance = 0.0;
  }
  return cases;
}

}  // namespace lockstep
