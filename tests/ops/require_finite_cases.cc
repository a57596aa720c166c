// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "ops/op_case.h"

namespace lockstep {

std::vector<OpCase> require_finite_cases() {
  std::vector<OpCase> cases;
  OpCase& one = cases.emplace_back();
  one.name = "RequireFinite";
  one.type = "RequireFinite";
  const auto samples = [] { return Tensor::from<std::int64_t>({2}, {17, 18}); };
  one.inputs = tensors(samples(), real_tensor({1}, {0.5}), real_tensor({1}, {2.0}));
  one.outputs = 0;
  one.gradient_outputs = {};
  const double infinity = std::numeric_limits<double>::infinity();
  one.errors.push_back({"a loss is not finite: x1 = 0.5, x2 = inf; samples 17, 18",
                        tensors(samples(), real_tensor({1}, {0.5}), real_tensor({1}, {infinity})),
                        {},
                        {}});
  one.errors.push_back({"a loss is not finite: x1 = nan",
                        tensors(samples(), real_tensor({1}, {std::numeric_limits<double>::quiet_NaN()})),
                        {},
                        {}});
  return cases;
}

}  // namespace lockstep
