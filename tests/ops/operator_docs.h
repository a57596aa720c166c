// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/graph/catalog.h"

namespace lockstep {

// The page docs/operators.md: every operator with its inputs, outputs and arguments.
std::string operators_markdown(const OpCatalog& catalog);

}  // namespace lockstep
