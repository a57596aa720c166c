// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lockstep/graph/catalog.h"
#include "lockstep/graph/net.pb.h"

namespace lockstep {

// What is known of every blob at the end of the net, from what is known of the blobs outside. Blobs whose
// type or shape cannot be inferred are absent. With `problems`, failing inference is added there, once per
// cause; without, it is left out silently.
std::map<std::string, TensorInfo> infer_shapes(const NetDef& net, const OpCatalog& catalog,
                                               const std::map<std::string, TensorInfo>& externals,
                                               std::vector<std::string>* problems = nullptr);

// All problems of a net that show without shapes, in program order: types, arguments, counts, in-place use, devices,
// inputs without a source, external outputs that nothing produces and names declared twice. Empty for a good net.
std::vector<std::string> structural_problems(const NetDef& net, const OpCatalog& catalog);

// The structural problems and those of shapes, as far as `externals` knows them.
std::vector<std::string> validate(const NetDef& net, const OpCatalog& catalog,
                                  const std::map<std::string, TensorInfo>& externals);

// Throws one kGraph error with every problem of the net on a line of its own; does nothing when there are none.
void require_no_problems(const std::string& net_name, const std::vector<std::string>& problems);

// The same for what validate() finds.
void require_valid(const NetDef& net, const OpCatalog& catalog, const std::map<std::string, TensorInfo>& externals);

}  // namespace lockstep
