// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/numerics.h"

#include <fmt/core.h>

#include "lockstep/backend/cpu/cpu_isa.h"
#include "lockstep/engine/build_info.h"

namespace lockstep {

Numerics current_numerics(int threads) { return {build_description(), effective_isa(), threads}; }

std::string describe_difference(const Numerics& before, const Numerics& now) {
  std::string text;
  const auto compare = [&](const char* name, const auto& a, const auto& b) {
    if (a != b) text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", name, a, b);
  };
  compare("build", before.build, now.build);
  compare("instruction set", before.isa, now.isa);
  compare("threads", before.threads, now.threads);
  return text;
}

void pin_instruction_set(const Config& config) {
  if (!config.solver.cpu_isa.empty()) pin_isa(config.solver.cpu_isa);
}

}  // namespace lockstep
