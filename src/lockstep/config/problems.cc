// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/problems.h"

#include <algorithm>

#include "lockstep/base/check.h"

namespace lockstep {

void ConfigProblems::throw_if_any(const std::string& subject) const {
  constexpr std::size_t kMost = 50;
  if (problems_.empty()) return;
  if (problems_.size() == 1) LS_THROW(kConfig, "{}", problems_[0]);
  std::string text = fmt::format("{}: {} problems", subject, problems_.size());
  for (std::size_t i = 0; i < std::min(kMost, problems_.size()); ++i) text += "\n  " + problems_[i];
  if (problems_.size() > kMost) text += fmt::format("\n  and {} more", problems_.size() - kMost);
  LS_THROW(kConfig, "{}", text);
}

}  // namespace lockstep
