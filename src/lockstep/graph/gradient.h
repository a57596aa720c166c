// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "lockstep/graph/catalog.h"
#include "lockstep/graph/net.pb.h"

namespace lockstep {

// Appends the backward operators of `losses` to `net`, last operator first, and returns the blob that
// holds the gradient of every blob that has one (of its first version where it is overwritten).
// Names only: no data and no shapes. After Caffe2's core.IR (seed-systems §6.4).
//
// `losses`: loss blob -> blob that holds its gradient. An empty name makes a ConstantFill of 1.0 named
// `<loss>_grad` on the device of the loss. A given name that the net does not write becomes an external input.
// `trainable`: blobs whose gradient is wanted. What does not lead back to one of them is not differentiated.
//
// - Operators without a gradient rule (StopGradient, matching, sampling) end the flow silently.
// - A gradient operator reads a blob as it was when its forward operator ran; if that was overwritten
//   since, the call fails and names both operators.
// - Where a blob has several consumers, the gradients after the first one generated are written to
//   `_<grad>_autosplit_<n>` (the underscore stands after the name scope) and all are added by one Sum in
//   the order of generation. A gradient blob that stands for several blobs is never overwritten.
//
// kGraph errors: a loss that is not in the net or reaches nothing trainable, trainable blobs without a
// gradient, contributions on different devices, a net that has gradient operators already. The net is
// unchanged after an error.
std::map<std::string, std::string> add_gradient_operators(NetDef& net, const OpCatalog& catalog,
                                                          const std::map<std::string, std::string>& losses,
                                                          const std::set<std::string>& trainable);

}  // namespace lockstep
