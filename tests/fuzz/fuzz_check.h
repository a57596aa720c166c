// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace lockstep::testing {

// Ends the process when `holds` is false, which the fuzzer records as a finding and a replay as a failure.
inline void fuzz_check(bool holds, std::string_view wanted) {
  if (holds) return;
  std::fprintf(stderr, "fuzz target: wanted %.*s\n", static_cast<int>(wanted.size()), wanted.data());
  std::abort();
}

}  // namespace lockstep::testing
