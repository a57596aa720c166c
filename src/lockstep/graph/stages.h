// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lockstep/graph/net.pb.h"

namespace lockstep {

// The stages of a training step in the order in which they begin.
enum class Stage { kInput, kForward, kBackward, kFold, kAllReduce, kUpdate };
inline constexpr int kStages = 6;
const char* stage_name(Stage stage);

// The stage of every operator of a net in the order that building gives it: forward, backward, fold, all-reduce, update
// (dequeue operators count as input wherever they stand). A net without gradient operators is forward.
std::vector<Stage> stages_of(const NetDef& net);

}  // namespace lockstep
