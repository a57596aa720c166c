// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

std::vector<Tensor> update_inputs(const Shape& shape) {
  return tensors(random_tensor(shape, 1), random_tensor(shape, 2), real_tensor({1}, {0.1}), random_tensor(shape, 3));
}

OpCase update_case(const std::string& name, const std::string& type, int outputs, std::vector<Argument> args) {
  OpCase one;
  one.name = name;
  one.type = type;
  one.args = std::move(args);
  one.outputs = outputs;
  one.inputs = update_inputs({3, 2, 2, 5});
  one.variants.push_back(update_inputs({7}));
  one.variants.push_back(update_inputs({0, 4}));
  one.errors.push_back(
      {"inputs 'gradient' and 'momentum' must have one shape, got f32[7] and f32[6]",
       tensors(random_tensor({7}, 1), random_tensor({6}, 2), real_tensor({1}, {0.1}), random_tensor({7}, 3)),
       {},
       {}});
  one.errors.push_back(
      {"input 'lr' must have size 1 on axis 0 (one learning rate), got f32[2]",
       tensors(random_tensor({7}, 1), random_tensor({7}, 2), real_tensor({2}, {0.1, 0.2}), random_tensor({7}, 3)),
       {},
       {}});
  one.errors.push_back({"momentum", {}, std::vector<Argument>{arg("momentum", 1.5)}, {}});
  return one;
}

}  // namespace

std::vector<OpCase> update_cases() {
  const Argument momentum = arg("momentum", 0.9), nesterov = arg("nesterov", 1);
  std::vector<OpCase> cases;
  cases.push_back(update_case("MomentumSGDUpdate", "MomentumSGDUpdate", 3, {momentum}));
  cases.push_back(update_case("MomentumSGDUpdateNesterov", "MomentumSGDUpdate", 3, {momentum, nesterov}));
  cases.push_back(update_case("SGDUpdate", "SGDUpdate", 2, {momentum, arg("lr_factor", 2.0)}));
  cases.push_back(update_case("SGDUpdateNesterov", "SGDUpdate", 2, {momentum, nesterov}));
  return cases;
}

}  // namespace lockstep
