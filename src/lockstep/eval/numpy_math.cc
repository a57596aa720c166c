// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/numpy_math.h"

#include <array>

namespace lockstep {
namespace {

double pairwise_sum(const double* values, std::size_t count) {
  if (count < 8) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
    return sum;
  }
  if (count <= 128) {
    std::array<double, 8> sums{};
    for (std::size_t j = 0; j < 8; ++j) sums[j] = values[j];
    std::size_t i = 8;
    for (; i < count - count % 8; i += 8) {
      for (std::size_t j = 0; j < 8; ++j) sums[j] += values[i + j];
    }
    double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < count; ++i) sum += values[i];
    return sum;
  }
  const std::size_t half = count / 2 - (count / 2) % 8;
  return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
}

}  // namespace

std::vector<double> numpy_linspace(double start, double stop, int count) {
  const double step = (stop - start) / (count - 1);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(i * step + start);
  values.back() = stop;
  return values;
}

double numpy_mean(const std::vector<double>& values) {
  if (values.empty()) return -1;
  return pairwise_sum(values.data(), values.size()) / static_cast<double>(values.size());
}

}  // namespace lockstep
