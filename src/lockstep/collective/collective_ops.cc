// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/collective_ops.h"

namespace lockstep {

void register_collective_ops(OpCatalog& catalog) {
  catalog.add(fold_gradient_schema());
  catalog.add(lockstep_all_reduce_schema());
  catalog.add(process_all_reduce_schema());
}

}  // namespace lockstep
