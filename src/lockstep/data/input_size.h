// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/data/dataset.h"

namespace lockstep {

// Image sizes for INPUT: the shorter edge and the most that the longer one may have, in pixels.
struct InputSize {
  int min_size = 0, max_size = 0;
};

// The smallest of a few usual sizes at which nine boxes of ten are at least 16 pixels large (square root of the area)
// and half of the boxes of every class at least 20, between 160 and 480 and not above the pictures' own size; the
// longer edge as 95 of 100 pictures need it, at most twice the shorter one.
InputSize choose_input_size(const Dataset& dataset);

}  // namespace lockstep
