// SPDX-License-Identifier: Apache-2.0
#include "remarks.h"

#include "lockstep/base/log.h"
#include "lockstep/config/support.h"

namespace lockstep::app {

void log_notices(std::string_view command, const Config& config) {
  for (const std::string& notice : config.notices) log_info(command, "{}", notice);
}

void log_remarks(std::string_view command, const Config& config) {
  const std::vector<ConfigRemark> refused = unsupported_values(config);
  for (const ConfigRemark& remark : refused) {
    log_warning(command, "{}: {} cannot be run: {}", remark.path, remark.value, remark.text);
  }
  if (refused.empty()) {
    for (const std::string& problem : contradictions(config)) log_warning(command, "cannot be run: {}", problem);
  }
  for (const ConfigRemark& remark : unused_values(config)) {
    log_info(command, "{}: {} {}", remark.path, remark.value, remark.text);
  }
}

}  // namespace lockstep::app
