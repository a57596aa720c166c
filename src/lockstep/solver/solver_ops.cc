// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/solver_ops.h"

namespace lockstep {

void register_solver_ops(OpCatalog& catalog) {
  catalog.add(momentum_sgd_update_schema());
  catalog.add(sgd_update_schema());
}

}  // namespace lockstep
