// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/data/colour.h"
#include "lockstep/data/crop.h"
#include "lockstep/data/dataset.h"
#include "lockstep/data/image.h"

namespace lockstep {

enum class Flip { kHorizontal, kVertical };

// How training images are changed, in Detectron2's terms and order: crop, resize, flip, then colours.
struct AugmentOptions {
  std::vector<int> min_sizes = {800};             // INPUT.MIN_SIZE_TRAIN; {0} keeps the size
  bool sample_range = false;                      // MIN_SIZE_TRAIN_SAMPLING: "range" between two sizes, else "choice"
  int max_size = 1333;                            // INPUT.MAX_SIZE_TRAIN
  std::vector<Flip> flips = {Flip::kHorizontal};  // INPUT.RANDOM_FLIP, each with probability 1/2
  std::optional<CropOptions> crop;                // INPUT.CROP
  ColourOptions colour;                           // INPUT.BRIGHTNESS, CONTRAST, SATURATION
};

// Throws kConfig when the options make no sense, naming the config keys.
void check_augment_options(const AugmentOptions& options);

// The draws for sample `s` of a run: pure functions of (seed, s).
int draw_shortest_edge(const AugmentOptions& options, std::uint64_t seed, std::int64_t s);
bool draw_flip(Flip flip, std::uint64_t seed, std::int64_t s);

// Mirrors the picture in place, left-right or up-down.
void flip_image(Image& image, Flip flip);
// Mirrors boxes in a picture of that size: x1' = width - x2, x2' = width - x1 (or the same for y).
void flip_boxes(std::vector<GroundTruthBox>& boxes, ImageSize size, Flip flip);

// Moves boxes from a picture of size `from` to one of size `to` and clips them there.
void scale_boxes(std::vector<GroundTruthBox>& boxes, ImageSize from, ImageSize to);

}  // namespace lockstep
