// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

OpCase anchors_case() {
  OpCase one;
  one.name = "Anchors";
  one.type = "Anchors";
  one.args = {arg("sizes", std::vector<double>{32, 45.3}), arg("aspect_ratios", std::vector<double>{0.5, 1, 2}),
              arg("stride", 8.0), arg("offset", 0.5)};
  one.inputs = tensors(random_tensor({2, 3, 4, 5}, 1));
  one.tolerance = 1e-6;
  one.variants.push_back(tensors(random_tensor({1, 1, 1, 1}, 2)));
  one.variants.push_back(tensors(random_tensor({1, 1, 0, 3}, 3)));
  one.errors.push_back({"[Anchors] input 'feature' must have 4 axes", tensors(random_tensor({4, 5}, 4)), {}, {}});
  one.errors.push_back(
      {"argument 'stride' is missing",
       {},
       std::vector<Argument>{arg("sizes", std::vector<double>{32}), arg("aspect_ratios", std::vector<double>{1})},
       {}});
  one.errors.push_back({"'sizes' and 'aspect_ratios' must not be empty",
                        {},
                        std::vector<Argument>{arg("sizes", std::vector<double>{}), arg("stride", 4.0),
                                              arg("aspect_ratios", std::vector<double>{1})},
                        {}});
  return one;
}

OpCase concat_rows_case() {
  OpCase one;
  one.name = "ConcatRows";
  one.type = "ConcatRows";
  one.inputs = tensors(random_tensor({3, 4}, 5), random_tensor({0, 4}, 6), random_tensor({2, 4}, 7));
  one.tolerance = 0.0;
  one.variants.push_back(tensors(random_tensor({0, 2}, 8), random_tensor({0, 2}, 8), random_tensor({0, 2}, 8)));
  one.errors.push_back({"[ConcatRows] input 'tables[1]' must have size 4 on axis 1 (that of the first table)",
                        tensors(random_tensor({3, 4}, 5), random_tensor({1, 5}, 6), random_tensor({2, 4}, 7)),
                        {},
                        {}});
  return one;
}

OpCase concat_predictions_case() {
  OpCase one;
  one.name = "ConcatPredictions";
  one.type = "ConcatPredictions";
  one.args = {arg("columns", 4)};
  one.inputs =
      tensors(random_tensor({2, 12, 3, 4}, 9), random_tensor({2, 12, 2, 2}, 10), random_tensor({2, 4, 1, 1}, 11));
  one.differentiable = {0, 1, 2};
  one.tolerance = 0.0;
  one.variants.push_back(
      tensors(random_tensor({1, 24, 2, 1}, 12), random_tensor({1, 8, 5, 2}, 13), random_tensor({1, 8, 1, 0}, 14)));
  one.variants.push_back(
      tensors(random_tensor({0, 12, 3, 4}, 9), random_tensor({0, 12, 2, 2}, 10), random_tensor({0, 4, 1, 1}, 11)));
  one.errors.push_back(
      {"level 1 has 10 channels; wanted a multiple of columns = 4",
       tensors(random_tensor({2, 12, 3, 4}, 9), random_tensor({2, 10, 2, 2}, 10), random_tensor({2, 4, 1, 1}, 11)),
       {},
       {}});
  one.errors.push_back(
      {"[ConcatPredictions] input 'predictions[2]' must have size 2 on axis 0",
       tensors(random_tensor({2, 12, 3, 4}, 9), random_tensor({2, 12, 2, 2}, 10), random_tensor({1, 4, 1, 1}, 11)),
       {},
       {}});
  return one;
}

}  // namespace

std::vector<OpCase> dense_head_cases() {
  std::vector<OpCase> cases;
  cases.push_back(anchors_case());
  cases.push_back(concat_rows_case());
  cases.push_back(concat_predictions_case());
  OpCase& objectness = cases.emplace_back();  // one column: the channels are the anchors
  objectness.name = "ConcatPredictionsOneColumn";
  objectness.type = "ConcatPredictions";
  objectness.args = {arg("columns", 1)};
  objectness.inputs = tensors(random_tensor({2, 3, 3, 2}, 15));
  objectness.differentiable = {0};
  objectness.tolerance = 0.0;
  return cases;
}

}  // namespace lockstep
