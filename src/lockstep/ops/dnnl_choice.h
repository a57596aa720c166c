// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/graph/schema.h"

namespace lockstep {

// What oneDNN chose, for an operator of `outputs` outputs.
KernelChoice dnnl_choice(const DnnlReport& report, std::size_t outputs);

}  // namespace lockstep
