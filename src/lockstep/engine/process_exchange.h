// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lockstep/collective/process_group.h"
#include "lockstep/collective/reduction_tree.h"
#include "lockstep/engine/detector.h"
#include "lockstep/engine/worker_group.h"

namespace lockstep {

// A fact that all ranks must agree on, such as {"threads", "1"}.
struct HandshakeFact {
  std::string name;
  std::string value;         // of several lines: the first line that differs is shown
  bool is_numerics = false;  // decides the bits, not whether the run can work
};

// Compares the facts of all ranks with those of rank 0. kConfig, naming the ranks and both values, when some differ;
// with `allow_different_numerics` only when one of the others does. Returns the differences that were let pass.
std::string shake_hands(ProcessGroup& group, const std::vector<HandshakeFact>& facts, bool allow_different_numerics);

// Gives every rank the results of all micro-batches of a step, each rank having those of its own `ranges` in `results`.
// Returns whether any rank wants to stop.
bool exchange_results(ProcessGroup& group, const std::vector<MicroBatchRange>& ranges, bool wants_to_stop,
                      std::vector<MicroBatchResult>& results);

// Puts the detections of all ranks one behind the other, by rank.
std::vector<std::vector<DetectedObject>> gather_detections(ProcessGroup& group,
                                                           const std::vector<std::vector<DetectedObject>>& mine);

}  // namespace lockstep
