// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

#include <cmath>

#include "lockstep/base/philox.h"

namespace lockstep {

Tensor random_tensor(const Shape& shape, std::uint32_t stream, double low, double high, double away) {
  Tensor tensor(DType::kF64, shape);
  PhiloxStream draws(17, stream, 1);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    double value = 0.0;
    do {
      value = low + (high - low) * draws.uniform();
    } while (std::abs(value) < away);
    tensor.data<double>()[i] = value;
  }
  return tensor;
}

Tensor distinct_tensor(const Shape& shape, std::uint32_t stream) {
  Tensor tensor(DType::kF64, shape);
  const auto count = static_cast<std::uint32_t>(tensor.size());
  const std::vector<std::uint32_t> order = PhiloxStream(17, stream, 2).choose(count, count);
  for (std::uint32_t i = 0; i < count; ++i) tensor.data<double>()[i] = (2.0 * order[i] + 1.0) / count - 1.0;
  return tensor;
}

Tensor real_tensor(const Shape& shape, const std::vector<double>& values) { return Tensor::from(shape, values); }

Tensor int_tensor(const Shape& shape, const std::vector<std::int32_t>& values) { return Tensor::from(shape, values); }

Tensor random_ints(const Shape& shape, std::uint32_t stream, std::int32_t low, std::int32_t high) {
  Tensor tensor(DType::kI32, shape);
  PhiloxStream draws(17, stream, 3);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    tensor.data<std::int32_t>()[i] =
        low + static_cast<std::int32_t>(draws.below(static_cast<std::uint32_t>(high - low)));
  }
  return tensor;
}

}  // namespace lockstep
