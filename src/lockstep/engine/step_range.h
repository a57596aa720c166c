// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

// Steps of a run, counted as its progress counts them: the first step is 1. Both ends belong to it.
struct StepRange {
  std::int64_t first = 1;
  std::int64_t last = 1;
  bool contains(std::int64_t step) const { return first <= step && step <= last; }
};

// "steps=10:12" or "steps=10"; kConfig, saying what was found and wanted, for anything else.
StepRange parse_step_range(const std::string& text);

}  // namespace lockstep
