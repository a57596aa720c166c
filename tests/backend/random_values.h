// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <vector>

#include "lockstep/base/philox.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

inline Tensor random_values(const Shape& shape, std::uint32_t stream) {
  Tensor tensor(DType::kF32, shape);
  PhiloxStream draws(5, stream, 1);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data<float>()[i] = static_cast<float>(draws.normal());
  return tensor;
}

inline std::vector<float> plain_values(const Tensor& tensor) {
  Tensor plain;
  convert_layout(tensor, Layout::kPlain, plain);
  return {plain.data<float>(), plain.data<float>() + plain.size()};
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.describe() == b.describe() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

}  // namespace lockstep
