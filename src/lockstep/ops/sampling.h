// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/base/philox.h"

namespace lockstep {

struct LabelSample {
  std::vector<std::int32_t> objects;     // rows with an object, ascending
  std::vector<std::int32_t> background;  // rows with the background label, ascending
};

// Draws up to `batch_size` of the rows whose label is not -1, without replacement. Rows with an object number at most
// int(batch_size * positive_fraction); rows of the background fill up. Draw order: first
// stream.choose(objects, wanted objects) over the object rows in ascending order, then the same for the background.
LabelSample sample_labels(const std::int32_t* labels, std::int64_t count, std::int32_t background_label,
                          std::int64_t batch_size, double positive_fraction, PhiloxStream& stream);

}  // namespace lockstep
