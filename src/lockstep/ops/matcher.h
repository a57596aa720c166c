// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/ops/boxes.h"

namespace lockstep {

// Assigns each candidate box (anchor or proposal) the ground-truth box with the largest IoU, ties to the lower index,
// and a label by the interval that this IoU falls into: labels[i] for thresholds[i - 1] <= IoU < thresholds[i].
// The IoU matrix is never stored whole: memory is about one value per (truth, 1,024 candidates).
class Matcher {
 public:
  // `thresholds` ascend within (0, 1]; `labels` has one entry more, each -1 (ignored), 0 (background) or 1 (object).
  // With `allow_low_quality` every candidate that has a truth's largest IoU (ties by equality of the values) is an
  // object, whatever that IoU; its assigned truth stays the one with the largest IoU for the candidate. As in
  // Detectron2 a truth that overlaps no candidate at all thereby makes an object of every candidate.
  // Throws kGraph when the lists do not fit.
  Matcher(const std::vector<double>& thresholds, const std::vector<std::int64_t>& labels, bool allow_low_quality);

  // Writes a label and the index of the assigned truth per candidate. `candidates` are `count` rows of four.
  // Without truth every candidate gets labels[0] and index 0.
  template <typename T>
  void match(const T* candidates, std::int64_t count, const std::vector<Box<T>>& truth, std::int32_t* labels,
             std::int32_t* assigned) const;

 private:
  std::vector<double> thresholds_;
  std::vector<std::int32_t> labels_;
  bool allow_low_quality_;
};

}  // namespace lockstep
