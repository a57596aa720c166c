// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/catalog.h"

namespace lockstep {

OpSchema momentum_sgd_update_schema();
OpSchema sgd_update_schema();

void register_solver_ops(OpCatalog& catalog);

}  // namespace lockstep
