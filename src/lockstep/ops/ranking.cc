// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {

template <typename T>
std::vector<std::int32_t> top_k(const T* scores, std::int64_t count, std::int64_t k) {
  struct Ranked {
    T score;
    std::int32_t index;
  };
  std::vector<Ranked> ranked(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const T score = std::isnan(scores[i]) ? std::numeric_limits<T>::infinity() : scores[i];
    ranked[static_cast<std::size_t>(i)] = {score, static_cast<std::int32_t>(i)};
  }
  // A strict total order, so that the result does not depend on the algorithm.
  const auto before = [](const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score > b.score : a.index < b.index;
  };
  const auto kept = ranked.begin() + std::min(count, k);
  if (kept != ranked.end()) std::nth_element(ranked.begin(), kept, ranked.end(), before);
  std::sort(ranked.begin(), kept, before);
  std::vector<std::int32_t> indices;
  indices.reserve(static_cast<std::size_t>(kept - ranked.begin()));
  for (auto one = ranked.begin(); one != kept; ++one) indices.push_back(one->index);
  return indices;
}

template std::vector<std::int32_t> top_k<float>(const float*, std::int64_t, std::int64_t);
template std::vector<std::int32_t> top_k<double>(const double*, std::int64_t, std::int64_t);

}  // namespace lockstep
