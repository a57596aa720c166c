// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/build_info.h"

#include <fmt/core.h>

#include "lockstep/backend/cpu/cpu_isa.h"

namespace lockstep {

std::string lockstep_version() { return LOCKSTEP_VERSION; }

std::string build_description() {
  return fmt::format("lockstep {}, gcc {}.{}.{}, oneDNN {}", LOCKSTEP_VERSION, __GNUC__, __GNUC_MINOR__,
                     __GNUC_PATCHLEVEL__, dnnl_version_text());
}

}  // namespace lockstep
