// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/catalog.h"

namespace lockstep {

// Adds every operator of this room to `catalog`.
void register_ops(OpCatalog& catalog);

}  // namespace lockstep
