// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/boxes.h"

#include <fmt/format.h>

#include "lockstep/base/check.h"

namespace lockstep {

void check_box_weights(const std::vector<double>& weights) {
  const bool good = weights.size() == 4 && std::all_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
  LS_CHECK(kGraph, good, "argument 'weights' is ({}); wanted four positive numbers (x, y, width, height)",
           fmt::join(weights, ", "));
}

}  // namespace lockstep
