// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/lr_policy.h"

#include <algorithm>
#include <array>

namespace lockstep {

const LrPolicy* find_lr_policy(std::string_view name) {
  static constexpr std::array kPolicies = {
      LrPolicy{"WarmupMultiStepLR", multi_step_multiplier, nullptr},
      LrPolicy{"WarmupCosineLR", cosine_multiplier, nullptr},
      LrPolicy{"WarmupStepWithFixedGammaLR", step_fixed_gamma_multiplier, nullptr},
      LrPolicy{"step", nullptr, step_rate},
      LrPolicy{"steps_with_decay", nullptr, steps_decay_rate},
      LrPolicy{"steps_with_lrs", nullptr, steps_lrs_rate},
      LrPolicy{"cosine_decay", nullptr, cosine_decay_rate},
      LrPolicy{"exp_decay", nullptr, exp_decay_rate},
  };
  const auto* const found =
      std::find_if(kPolicies.begin(), kPolicies.end(), [&](const LrPolicy& policy) { return policy.name == name; });
  return found == kPolicies.end() ? nullptr : found;
}

}  // namespace lockstep
