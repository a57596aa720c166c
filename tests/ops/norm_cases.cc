// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

OpCase group_norm(const std::string& name, const Shape& shape, int group) {
  OpCase one;
  one.name = name;
  one.type = "GroupNorm";
  one.args = {arg("group", group)};
  one.inputs =
      tensors(random_tensor(shape, 1, 1.0, 3.0), random_tensor({shape[1]}, 2, 0.5, 1.5), random_tensor({shape[1]}, 3));
  one.outputs = 3;
  one.differentiable = {0, 1, 2};
  return one;
}

}  // namespace

std::vector<OpCase> norm_cases() {
  std::vector<OpCase> cases;
  {
    // Groups of 3 channels begin and end inside blocks of 8 and 16.
    OpCase& one = cases.emplace_back(group_norm("GroupNorm", {2, 18, 5, 7}, 6));
    one.variants.push_back(tensors(random_tensor({1, 12, 3, 2}, 4), random_tensor({12}, 5), random_tensor({12}, 6)));
    one.variants.push_back(tensors(random_tensor({0, 12, 3, 2}, 4), random_tensor({12}, 5), random_tensor({12}, 6)));
    one.errors.push_back({"[GroupNorm] 20 channels cannot be divided into 6 groups; set MODEL.GN_NUM_GROUPS",
                          tensors(random_tensor({1, 20, 2, 2}, 1), random_tensor({20}, 2), random_tensor({20}, 3)),
                          {},
                          {}});
    one.errors.push_back({"[GroupNorm] input 'bias' must have size 6 on axis 0 (one per channel), got f32[5]",
                          tensors(random_tensor({1, 6, 2, 2}, 1), random_tensor({6}, 2), random_tensor({5}, 3)),
                          {},
                          {}});
    one.errors.push_back({"argument 'group' is missing", {}, std::vector<Argument>{}, {}});
    one.errors.push_back({"argument 'group' must lie in [1, ", {}, std::vector<Argument>{arg("group", 0)}, {}});
  }
  cases.push_back(group_norm("GroupNormOfRows", {5, 8}, 2));
  {
    OpCase& one = cases.emplace_back(group_norm("GroupNormManyChunks", {1, 8, 60, 80}, 2));
    one.differentiable = {0, 1, 2};
    one.difference_tolerance = 1e-5;
  }
  {
    // A mean far from zero: the variance must not be a difference of large sums. Rounding of the inputs
    // themselves is shared by both kernels; the mean is subtracted in float.
    OpCase& one = cases.emplace_back(group_norm("GroupNormLargeMean", {1, 8, 6, 6}, 2));
    one.inputs[0] = random_tensor({1, 8, 6, 6}, 7, 999.0, 1001.0);
    one.tolerance = 2e-4;
    one.difference_tolerance = 1e-5;
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "FrozenBatchNorm";
    one.inputs = tensors(random_tensor({2, 11, 3, 5}, 1), random_tensor({11}, 2, 0.5, 1.5), random_tensor({11}, 3),
                         random_tensor({11}, 4), random_tensor({11}, 5, 0.1, 2.0));
    one.differentiable = {0};
    one.variants.push_back(tensors(random_tensor({0, 2, 3, 5}, 1), random_tensor({2}, 2), random_tensor({2}, 3),
                                   random_tensor({2}, 4), random_tensor({2}, 5, 0.1, 2.0)));
    one.errors.push_back({"[FrozenBatchNorm] input 'mean' must have size 2 on axis 0 (one per channel), got f32[3]",
                          tensors(random_tensor({1, 2, 1, 1}, 1), random_tensor({2}, 2), random_tensor({2}, 3),
                                  random_tensor({3}, 4), random_tensor({2}, 5)),
                          {},
                          {}});
  }
  return cases;
}

}  // namespace lockstep
