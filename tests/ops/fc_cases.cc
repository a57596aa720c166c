// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

OpCase fc_case(const std::string& name, const Shape& x, const Shape& w) {
  OpCase one;
  one.name = name;
  one.type = "FC";
  one.inputs = tensors(random_tensor(x, 21), random_tensor(w, 22), random_tensor({w[0]}, 23));
  one.differentiable = {0, 1, 2};
  return one;
}

std::vector<Tensor> with_rows(const OpCase& one, const Shape& x) {
  return tensors(random_tensor(x, 24), one.inputs[1].clone(), one.inputs[2].clone());
}

}  // namespace

std::vector<OpCase> fc_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back(fc_case("FC_rows", {7, 33}, {19, 33}));
    one.variants.push_back(with_rows(one, {0, 33}));
    one.variants.push_back(with_rows(one, {1, 33}));
    one.variants.push_back(with_rows(one, {512, 33}));
    one.errors.push_back(
        {"a row of 'X' f32[7,32] has 32 values, but a row of 'W' f32[19,33] has 33", with_rows(one, {7, 32}), {}, {}});
    one.errors.push_back({"input 'X' must have at least 2 axes, got f32[33]", with_rows(one, {33}), {}, {}});
    one.errors.push_back({"input 'b' must have size 19 on axis 0",
                          tensors(random_tensor({7, 33}, 1), random_tensor({19, 33}, 2), random_tensor({18}, 3)),
                          {},
                          {}});
  }
  {
    // Pooled regions: four axes are flattened, channel first.
    OpCase& one = cases.emplace_back(fc_case("FC_flattens", {3, 12, 2, 3}, {4, 72}));
    one.variants.push_back(with_rows(one, {0, 12, 2, 3}));
  }
  return cases;
}

}  // namespace lockstep
