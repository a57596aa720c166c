// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "lockstep/graph/net.pb.h"
#include "lockstep/graph/schema.h"

namespace lockstep {

// The net as stable text: a head line with name and executor, the external blobs, and one line per
// operator, "outputs = Type(inputs; arg=value) @cpu:0". Arguments are sorted by name and floats print so
// that they read back to the same value.
std::string net_text(const NetDef& net);

// One row per operator: type, device, the bytes of the outputs (? where a size is not known), inputs and outputs with
// type and shape as far as `infos` knows them. Many or long names go on in the lines below.
std::string net_table(const NetDef& net, const std::map<std::string, TensorInfo>& infos);

// A Graphviz graph of operators with blobs on the edges, clustered by device and by stage (forward, backward, and
// update for what follows the last gradient operator).
std::string net_dot(const NetDef& net);

// Protobuf's text format. Reads back to the same net.
std::string net_pbtxt(const NetDef& net);

}  // namespace lockstep
