// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/graph/memory_plan.h"
#include "lockstep/graph/net.pb.h"

namespace lockstep {

// The net as stable text: a head line with name and executor, the external blobs, and one line per
// operator, "outputs = Type(inputs; arg=value) @cpu:0". Arguments are sorted by name and floats print so
// that they read back to the same value.
std::string net_text(const NetDef& net);

// One row per operator: device, inputs and outputs with type, shape and layout as far as `plans` (plan_ops of this net)
// knows them, bytes of the outputs, millions of floating-point operations (- where they depend on the data), the kernel
// and why it was chosen. Many or long names go on in the lines below. The last row adds up.
std::string net_table(const NetDef& net, const std::vector<OpPlan>& plans);

// A Graphviz graph to look at: operators of one module (the first levels of a blob's name) and stage are one box that
// says how many there are of each type, clustered by device and by stage (stages.h), with the blobs that pass between
// boxes on the arrows. Arrows never lead round in a circle: a module that is left and entered again has two boxes.
std::string net_dot(const NetDef& net);

// Protobuf's text format. Reads back to the same net.
std::string net_pbtxt(const NetDef& net);

}  // namespace lockstep
