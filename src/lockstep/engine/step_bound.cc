// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/step_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {

bool is_memory_bound(double seconds, double bytes, const std::optional<double>& flops, const MachineSpeed& speed) {
  const double moving = bytes / speed.bytes;
  return flops ? moving > *flops / speed.flops : moving >= seconds / 2;
}

std::string bound_of(const StepShares& shares) {
  if (shares.loader > shares.step) return "loader";
  const std::array<std::pair<double, const char*>, 4> parts = {{{shares.compute, "compute"},
                                                                {shares.memory, "memory"},
                                                                {shares.all_reduce, "all-reduce"},
                                                                {shares.waiting, "waiting"}}};
  return std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

std::string bound_line(const StepShares& shares) {
  const auto percent = [&](double seconds) { return 100 * seconds / shares.step; };
  return fmt::format(
      "bound by {}: compute {:.0f} %, memory {:.0f} %, all-reduce {:.0f} %, waiting {:.0f} % of the step; the loader "
      "needs {:.0f} %",
      bound_of(shares), percent(shares.compute), percent(shares.memory), percent(shares.all_reduce),
      percent(shares.waiting), percent(shares.loader));
}

}  // namespace lockstep
