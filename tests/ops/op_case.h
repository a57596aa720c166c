// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/graph/net_builder.h"
#include "lockstep/graph/workspace.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// Inputs or arguments that an operator must refuse; what is absent is taken from the case.
struct BadCase {
  std::string expected;  // part of the error's text
  std::optional<std::vector<Tensor>> inputs;
  std::optional<std::vector<Argument>> args;
  std::optional<int> outputs;
};

// One use of one operator, from which the driver (op_checks.h) derives its checks of the operator and of
// the gradient operators that its rule makes. Blobs are named x0, x1, ... and y0, y1, ...
struct OpCase {
  std::string name;  // letters, digits and _; unique
  std::string type;
  std::vector<Argument> args;
  std::vector<Tensor> inputs;  // real tensors of either floating type; every engine gets its own
  int outputs = 1;
  std::vector<int> differentiable;          // inputs whose gradient is compared with finite differences
  std::vector<int> gradient_outputs = {0};  // outputs that a gradient comes back through
  // Other inputs for the same operator, of other shapes; where rows are dynamic, one with zero rows.
  std::vector<std::vector<Tensor>> variants;
  std::vector<BadCase> errors;

  // Wanted: max|a - b| <= tolerance * max|b| per tensor.
  double tolerance = 1e-5;             // f32 kernel against reference, blocked layout against plain
  double difference_step = 1e-5;       // of the central differences, which run in double
  double difference_tolerance = 1e-6;  // analytic gradient against central differences
  bool layouts = true;                 // run again with 4-axis inputs in blocked layouts
  std::vector<int> plain_inputs;       // ... but these stay plain (filters)
  bool unknown_sizes = true;           // inference must cope with inputs whose sizes are all unknown

  std::function<void(Workspace&)> setup;  // runs before each run of the operator, for blobs that are no tensors
};

// Real tensors of doubles, uniform in [low, high) and at least `away` from zero; `stream` numbers the draw.
Tensor random_tensor(const Shape& shape, std::uint32_t stream, double low = -1.0, double high = 1.0, double away = 0.0);
// A shuffled ramp over [-1, 1]: no two values are closer than 2 / count (for maxima).
Tensor distinct_tensor(const Shape& shape, std::uint32_t stream);
Tensor real_tensor(const Shape& shape, const std::vector<double>& values);
Tensor int_tensor(const Shape& shape, const std::vector<std::int32_t>& values);
// Integers in [low, high).
Tensor random_ints(const Shape& shape, std::uint32_t stream, std::int32_t low, std::int32_t high);

// A list of tensors; tensors only move, so that a braced list does not work.
template <typename... Tensors>
std::vector<Tensor> tensors(Tensors&&... items) {
  std::vector<Tensor> list;
  (list.push_back(std::move(items)), ...);
  return list;
}

// All cases, by file (all_cases.cc): of the rooms ops, collective and solver.
const std::vector<OpCase>& all_cases();

}  // namespace lockstep
