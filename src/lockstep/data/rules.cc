// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/rules.h"

#include <fmt/format.h>

namespace lockstep {

std::string_view to_string(Policy policy) {
  switch (policy) {
    case Policy::kFix: return "fix";
    case Policy::kDrop: return "drop";
    case Policy::kKeep: return "keep";
    case Policy::kFail: return "fail";
  }
  return "?";
}

const RuleInfo& rule_info(Rule rule) { return rule_table()[static_cast<std::size_t>(rule)]; }

std::string rules_reference() {
  std::string text;
  std::string_view group;
  for (const RuleInfo& rule : rule_table()) {
    if (rule.group != group) {
      group = rule.group;
      text += fmt::format("{}### {}\n\n| rule | policy | meaning |\n|---|---|---|\n", text.empty() ? "" : "\n", group);
    }
    text += fmt::format("| `{}` | {} | {} |\n", rule.name, to_string(rule.policy), rule.doc);
  }
  return text;
}

}  // namespace lockstep
