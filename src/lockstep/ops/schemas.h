// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/schema.h"

namespace lockstep {

// The declarations of this room's operators; each stands in the file of its operator (ops/relu.cc).
// One line per operator, sorted.
OpSchema relu_schema();
OpSchema relu_gradient_schema();
OpSchema require_finite_schema();
OpSchema scale_schema();

}  // namespace lockstep
