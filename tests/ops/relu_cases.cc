// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {

std::vector<OpCase> relu_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back();
    one.name = "Relu";
    one.type = "Relu";
    one.inputs = tensors(random_tensor({2, 5, 3, 4}, 1, -1, 1, 0.01));
    one.differentiable = {0};
    one.tolerance = 0.0;
    one.variants.push_back(tensors(random_tensor({7, 9}, 2, -1, 1, 0.01)));
    one.variants.push_back(tensors(random_tensor({0, 9}, 3)));
    one.errors.push_back({"[Relu] input 'X' must be f32, got i32[2]", tensors(int_tensor({2}, {1, 2})), {}, {}});
    one.errors.push_back({"unknown argument 'slope'", {}, std::vector<Argument>{arg("slope", 0.1)}, {}});
  }
  return cases;
}

}  // namespace lockstep
