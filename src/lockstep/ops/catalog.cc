// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/catalog.h"

#include "lockstep/ops/schemas.h"

namespace lockstep {

// One line per operator, sorted (tests/ops/catalog_test.cc checks the order).
void register_ops(OpCatalog& catalog) {
  catalog.add(relu_schema());
  catalog.add(relu_gradient_schema());
  catalog.add(require_finite_schema());
  catalog.add(scale_schema());
}

}  // namespace lockstep
