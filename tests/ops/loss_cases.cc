// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

OpCase box_regression(const std::string& name, double beta, bool agnostic, double normalizer) {
  OpCase one;
  one.name = name;
  one.type = "BoxRegressionLoss";
  one.args = {arg("beta", beta),
              arg("fg_low", 0),
              arg("fg_high", 3),
              arg("class_agnostic", agnostic),
              arg("normalizer", normalizer),
              arg("scale", 0.5)};
  // Differences of at least 0.15 keep clear of the corner at 0; with beta 0.5 predictions lie on both sides of it.
  one.inputs = tensors(random_tensor({6, agnostic ? 4 : 12}, 1, -1.0, 1.0, 0.2), random_tensor({6, 4}, 2, -0.05, 0.05),
                       int_tensor({6}, {0, 3, 2, 1, -1, 2}));
  one.differentiable = {0};
  const std::int64_t columns = agnostic ? 4 : 12;
  one.variants.push_back(tensors(random_tensor({0, columns}, 1), random_tensor({0, 4}, 2), int_tensor({0}, {})));
  one.variants.push_back(tensors(random_tensor({2, columns}, 1), random_tensor({2, 4}, 2), int_tensor({2}, {3, 3})));
  return one;
}

}  // namespace

std::vector<OpCase> loss_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "Softmax";
    one.inputs = tensors(random_tensor({5, 7}, 1, -3, 3));
    one.differentiable = {0};
    one.variants.push_back(tensors(random_tensor({0, 7}, 1)));
    one.variants.push_back(tensors(real_tensor({2, 2}, {500, -500, 80, 90})));  // beyond the range of exp in float
    one.errors.push_back({"[Softmax] input 'X' must have 2 axes, got f32[3]", tensors(random_tensor({3}, 1)), {}, {}});
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "SoftmaxCrossEntropyLoss";
    one.args = {arg("scale", 0.25)};
    one.inputs = tensors(random_tensor({5, 4}, 1, -3, 3), int_tensor({5}, {0, 3, 1, 1, 2}));
    one.outputs = 2;
    one.differentiable = {0};
    one.variants.push_back(tensors(random_tensor({0, 4}, 1), int_tensor({0}, {})));
    one.variants.push_back(tensors(real_tensor({2, 2}, {500, -500, 80, 90}), int_tensor({2}, {1, 1})));
    one.errors.push_back({"label 4 of row 1 is not a class in [0, 4)",
                          tensors(random_tensor({2, 4}, 1), int_tensor({2}, {0, 4})),
                          {},
                          {}});
    one.errors.push_back({"input 'labels' must have size 2 on axis 0 (one label per row), got i32[3]",
                          tensors(random_tensor({2, 4}, 1), int_tensor({3}, {0, 1, 2})),
                          {},
                          {}});
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "SigmoidCrossEntropyLoss";
    one.args = {arg("normalizer", 4), arg("scale", 0.5)};
    one.inputs = tensors(random_tensor({6, 1}, 1, -3, 3), int_tensor({6}, {0, 1, -1, 1, 0, -1}));
    one.differentiable = {0};
    one.variants.push_back(tensors(random_tensor({0, 1}, 1), int_tensor({0}, {})));
    one.variants.push_back(tensors(real_tensor({3, 1}, {200, -200, 30}), int_tensor({3}, {0, 1, 1})));
    one.errors.push_back(
        {"label 2 of row 0 must be 1, 0 or -1", tensors(random_tensor({1, 1}, 1), int_tensor({1}, {2})), {}, {}});
    one.errors.push_back({"input 'logits' must have size 1 on axis 1 (one logit per row), got f32[2,2]",
                          tensors(random_tensor({2, 2}, 1), int_tensor({2}, {0, 1})),
                          {},
                          {}});
    one.errors.push_back({"argument 'normalizer' is missing", {}, std::vector<Argument>{}, {}});
  }
  cases.push_back(box_regression("BoxRegressionLossL1", 0.0, false, 0.0));
  cases.push_back(box_regression("BoxRegressionLossSmooth", 0.5, false, 8.0));
  {
    OpCase& one = cases.emplace_back(box_regression("BoxRegressionLossAgnostic", 0.5, true, 0.0));
    one.errors.push_back({"[BoxRegressionLoss] input 'pred' must have 4 columns per class, got f32[1,6]",
                          tensors(random_tensor({1, 6}, 1), random_tensor({1, 4}, 2), int_tensor({1}, {0})),
                          {},
                          {}});
    one.errors.push_back({"label 2 of row 0 has no columns in predictions of 8 columns",
                          tensors(random_tensor({1, 8}, 1), random_tensor({1, 4}, 2), int_tensor({1}, {2})),
                          std::vector<Argument>{arg("fg_low", 0), arg("fg_high", 3)},
                          {}});
  }
  return cases;
}

}  // namespace lockstep
