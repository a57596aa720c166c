// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

OpCase conv_case(const std::string& name, const Shape& x, const Shape& w, bool bias, std::vector<Argument> args) {
  OpCase one;
  one.name = name;
  one.type = "Conv";
  one.args = std::move(args);
  one.inputs = tensors(random_tensor(x, 11), random_tensor(w, 12));
  one.differentiable = {0, 1};
  if (bias) {
    one.inputs.push_back(random_tensor({w[0]}, 13));
    one.differentiable.push_back(2);
  }
  one.plain_inputs = {1};
  return one;
}

// Other images for the filters of a case.
std::vector<Tensor> with_images(const OpCase& one, const Shape& x) {
  std::vector<Tensor> inputs = tensors(random_tensor(x, 14));
  for (std::size_t i = 1; i < one.inputs.size(); ++i) inputs.push_back(one.inputs[i].clone());
  return inputs;
}

}  // namespace

std::vector<OpCase> conv_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back(
        conv_case("Conv_3x3", {2, 20, 7, 5}, {24, 20, 3, 3}, true, {arg("stride", 1), arg("pad", 1)}));
    one.variants.push_back(with_images(one, {1, 20, 1, 1}));
    one.variants.push_back(with_images(one, {0, 20, 7, 5}));
    one.variants.push_back(with_images(one, {3, 20, 4, 9}));
    one.errors.push_back(
        {"input 'X' must have size 20 on axis 1 (group times the input channels of W f32[24,20,3,3]), "
         "got f32[2,19,7,5]",
         with_images(one, {2, 19, 7, 5}),
         {},
         {}});
    one.errors.push_back(
        {"input 'b' must have size 24 on axis 0",
         tensors(random_tensor({2, 20, 7, 5}, 1), random_tensor({24, 20, 3, 3}, 2), random_tensor({23}, 3)),
         {},
         {}});
    one.errors.push_back({"a window of 7 (kernel 3, dilation 3) does not fit into axis 3 of f32[2,20,7,5] with pad 0",
                          {},
                          std::vector<Argument>{arg("dilation", 3)},
                          {}});
    one.errors.push_back({"stride", {}, std::vector<Argument>{arg("stride", 0)}, {}});
    one.errors.push_back(
        {"24 output channels cannot be cut into 5 groups", {}, std::vector<Argument>{arg("group", 5)}, {}});
  }
  {
    OpCase& one = cases.emplace_back(conv_case("Conv_1x1", {2, 16, 6, 5}, {40, 16, 1, 1}, false, {}));
    one.variants.push_back(with_images(one, {2, 16, 1, 1}));
  }
  cases.push_back(conv_case("Conv_stem", {1, 3, 19, 17}, {16, 3, 7, 7}, false, {arg("stride", 2), arg("pad", 3)}));
  cases.push_back(conv_case("Conv_strided_1x1", {1, 32, 7, 8}, {15, 32, 1, 1}, true, {arg("stride", 2)}));
  cases.push_back(conv_case("Conv_dilated", {1, 8, 9, 9}, {8, 8, 3, 3}, true, {arg("pad", 2), arg("dilation", 2)}));
  cases.push_back(conv_case("Conv_grouped", {1, 32, 5, 6}, {32, 8, 3, 3}, true, {arg("pad", 1), arg("group", 4)}));
  cases.push_back(conv_case("Conv_depthwise", {1, 12, 5, 6}, {12, 1, 3, 3}, false, {arg("pad", 1), arg("group", 12)}));
  return cases;
}

}  // namespace lockstep
