// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/ops/boxes.h"

namespace lockstep {

// Greedy non-maximum suppression: a box goes when its IoU with a better box that stays is above `threshold` (0..1).
// `boxes` are finite and in order of preference, best first. Returns the indices of those that stay, ascending, at most
// `max_keep`. Arithmetic as in torchvision.ops.nms: areas are (x2 - x1) * (y2 - y1) in T, the comparison is exact.
template <typename T>
std::vector<std::int32_t> nms(const std::vector<Box<T>>& boxes, double threshold, std::size_t max_keep);

// The same, where boxes compete only within their group (a class, a pyramid level); `max_keep` holds over all groups.
// torchvision's batched_nms may shift the boxes of each group apart instead, which rounds their coordinates; here
// every group is suppressed by itself, on the coordinates as given.
template <typename T>
std::vector<std::int32_t> grouped_nms(const std::vector<Box<T>>& boxes, const std::vector<std::int32_t>& groups,
                                      double threshold, std::size_t max_keep);

}  // namespace lockstep
