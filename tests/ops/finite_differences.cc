// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/op_checks.h"

namespace lockstep {
namespace {

constexpr std::int64_t kMostElements = 160;  // per input; larger inputs are sampled evenly

double projected(const std::vector<Tensor>& outputs, const std::vector<Tensor>& projection) {
  double sum = 0.0;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (projection[o].dtype() != DType::kF64) continue;  // no gradient comes back through this output
    for (std::int64_t i = 0; i < outputs[o].size(); ++i) {
      sum += outputs[o].data<double>()[i] * projection[o].data<double>()[i];
    }
  }
  return sum;
}

}  // namespace

void check_finite_differences(const OpCase& one, const std::vector<Tensor>& inputs) {
  if (one.differentiable.empty()) return;
  const CaseRuns runs = run_case(one, inputs, one.differentiable);
  BoundOp forward(forward_def(one), Engine::kReference, one.setup);
  std::vector<Tensor> moved;
  for (const Tensor& input : inputs) moved.push_back(rounded(input));
  for (const auto& [input, gradient] : runs.gradients) {
    Tensor& x = moved[static_cast<std::size_t>(input)];
    ASSERT_EQ(to_string(gradient.shape()), to_string(x.shape())) << "gradient of input " << input;
    const std::int64_t stride = (x.size() + kMostElements - 1) / kMostElements;
    std::vector<double> numeric, analytic;
    for (std::int64_t i = 0; i < x.size(); i += stride) {
      const double value = x.data<double>()[i];
      x.data<double>()[i] = value + one.difference_step;
      const double above = projected(forward.run(moved), runs.projection);
      x.data<double>()[i] = value - one.difference_step;
      const double below = projected(forward.run(moved), runs.projection);
      x.data<double>()[i] = value;
      numeric.push_back((above - below) / (2.0 * one.difference_step));
      analytic.push_back(gradient.data<double>()[i]);
    }
    const Shape shape = {static_cast<std::int64_t>(numeric.size())};
    expect_close(Tensor::from(shape, analytic), Tensor::from(shape, numeric), one.difference_tolerance,
                 "gradient of input " + std::to_string(input) + " against finite differences (every " +
                     std::to_string(stride) + "th element)");
  }
}

void check_needed_subsets(const OpCase& one, const std::vector<Tensor>& inputs) {
  if (one.differentiable.size() < 2) return;
  const CaseRuns all = run_case(one, inputs, one.differentiable);
  for (const int input : one.differentiable) {
    const CaseRuns alone = run_case(one, inputs, {input});
    if (!alone.gradients.contains(input) || !all.gradients.contains(input)) continue;  // reported by run_case
    expect_same_bits(alone.gradients.at(input), all.gradients.at(input),
                     "gradient of input " + std::to_string(input) + " asked for alone");
  }
}

}  // namespace lockstep
