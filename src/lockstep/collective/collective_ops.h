// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/catalog.h"

namespace lockstep {

// 1 + floor(log2 B) slots are enough for every B that fits an int.
inline constexpr int kMaximumFoldSlots = 32;

OpSchema fold_gradient_schema();
OpSchema lockstep_all_reduce_schema();
OpSchema process_all_reduce_schema();

void register_collective_ops(OpCatalog& catalog);

}  // namespace lockstep
