// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/dnnl_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep {

KernelChoice dnnl_choice(const DnnlReport& report, std::size_t outputs) {
  std::string reason = "oneDNN's first for these sizes";
  if (report.layout != Layout::kPlain) reason += fmt::format(", writes {}", to_string(report.layout));
  if (!report.converted.empty()) reason += fmt::format(", reorders {}", fmt::join(report.converted, " "));
  return {report.implementation, reason, std::vector<Layout>(outputs, report.layout), report.scratch_bytes};
}

}  // namespace lockstep
