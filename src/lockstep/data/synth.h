// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

// What write_synthetic_dataset wrote.
struct SynthSummary {
  int train_images = 0, val_images = 0;
  int boxes = 0, crowd_regions = 0, empty_images = 0;
};

// Writes a COCO data set of circles, squares, triangles and stars on textured backgrounds into `dir`:
// images/ (JPEG at quality 90, every tenth PNG), instances_train.json and instances_val.json (every fifth
// image). Some shapes overlap, some images are empty, some hold a crowd region (iscrowd 1). The bytes are a
// pure function of (images, seed). images >= 10. Throws kIo when the folder cannot be written.
SynthSummary write_synthetic_dataset(const std::string& dir, int images, std::uint64_t seed);

}  // namespace lockstep
