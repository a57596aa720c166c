// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

OpCase pool_case(const std::string& name, const Shape& x, int kernel, int stride, int pad) {
  OpCase one;
  one.name = name;
  one.type = "MaxPool";
  one.args = {arg("kernel", kernel), arg("stride", stride), arg("pad", pad)};
  one.inputs = tensors(distinct_tensor(x, 31));
  one.outputs = 2;
  one.differentiable = {0};
  one.tolerance = 1e-7;
  return one;
}

}  // namespace

std::vector<OpCase> max_pool_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back(pool_case("MaxPool_3x3", {2, 20, 7, 9}, 3, 2, 1));
    one.variants.push_back(tensors(distinct_tensor({1, 16, 1, 1}, 32)));
    one.variants.push_back(tensors(random_tensor({0, 20, 7, 9}, 33)));
    one.errors.push_back({"a window of 5 (kernel 5, dilation 1) does not fit into axis 2 of f32[1,8,4,9] with pad 0",
                          tensors(random_tensor({1, 8, 4, 9}, 1)),
                          std::vector<Argument>{arg("kernel", 5)},
                          {}});
    one.errors.push_back(
        {"pad 2 is more than half of kernel 3", {}, std::vector<Argument>{arg("kernel", 3), arg("pad", 2)}, {}});
    one.errors.push_back({"input 'X' must have 4 axes", tensors(random_tensor({8, 9}, 2)), {}, {}});
  }
  {
    // Every value equal: the gradient goes to the first position of each window.
    OpCase& one = cases.emplace_back(pool_case("MaxPool_ties", {1, 9, 5, 6}, 2, 2, 0));
    one.inputs = tensors(random_tensor({1, 9, 5, 6}, 34, 0.5, 0.5 + 1e-300));
    one.differentiable = {};
  }
  cases.push_back(pool_case("MaxPool_subsample", {2, 8, 5, 4}, 1, 2, 0));  // FPN's top level
  {
    OpCase& one = cases.emplace_back(pool_case("MaxPool_without_index", {1, 8, 6, 6}, 2, 2, 0));
    one.outputs = 1;
    one.differentiable = {};
  }
  return cases;
}

}  // namespace lockstep
