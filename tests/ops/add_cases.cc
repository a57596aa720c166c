// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {

std::vector<OpCase> add_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "Add";
    one.inputs = tensors(random_tensor({2, 5, 3, 4}, 1), random_tensor({2, 5, 3, 4}, 2));
    one.differentiable = {0, 1};
    one.variants.push_back(tensors(random_tensor({7}, 3), random_tensor({7}, 4)));
    one.variants.push_back(tensors(random_tensor({0, 3}, 3), random_tensor({0, 3}, 4)));
    one.errors.push_back({"[Add] inputs 'A' and 'B' must have one shape, got f32[2,3] and f32[3,2]",
                          tensors(random_tensor({2, 3}, 1), random_tensor({3, 2}, 2)),
                          {},
                          {}});
    one.errors.push_back({"[Add] wants 2 inputs, got 1", tensors(random_tensor({2, 3}, 1)), {}, {}});
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "Sum";
    one.inputs =
        tensors(random_tensor({2, 5, 3, 4}, 1), random_tensor({2, 5, 3, 4}, 2), random_tensor({2, 5, 3, 4}, 3));
    one.differentiable = {0, 1, 2};
    one.errors.push_back({"must have one shape", tensors(random_tensor({2}, 1), random_tensor({3}, 2)), {}, {}});
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = "SumOfOne";
    one.type = "Sum";
    one.inputs = tensors(random_tensor({3, 4}, 1));
    one.differentiable = {0};
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "WeightedSum";
    one.inputs = tensors(random_tensor({2, 5, 3, 4}, 1), real_tensor({1}, {0.5}), random_tensor({2, 5, 3, 4}, 2),
                         real_tensor({1}, {-2.0}), random_tensor({2, 5, 3, 4}, 3), real_tensor({1}, {3.0}));
    one.errors.push_back({"wants a weight after every tensor, got 3 inputs",
                          tensors(random_tensor({2}, 1), real_tensor({1}, {1}), random_tensor({2}, 2)),
                          {},
                          {}});
    one.errors.push_back({"[WeightedSum] input 'w0' must have size 1 on axis 0 (one weight), got f32[2]",
                          tensors(random_tensor({2}, 1), random_tensor({2}, 2)),
                          {},
                          {}});
  }
  return cases;
}

}  // namespace lockstep
