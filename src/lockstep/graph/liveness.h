// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/graph/net.pb.h"

namespace lockstep {

// A blob that lives inside one run of a net only: written before it is read, and declared neither as external input
// nor as external output.
struct Temporary {
  std::string name;
  std::vector<int> users;  // operators that read or write it, in program order; the first one makes it
};

// The temporaries of a net in the order in which they come into being. Each may give its memory up after its last user.
std::vector<Temporary> find_temporaries(const NetDef& net);

}  // namespace lockstep
