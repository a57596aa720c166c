// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/data/dataset.h"
#include "lockstep/data/image.h"

namespace lockstep {

// How the size of a crop is drawn, as Detectron2's RandomCrop does.
enum class CropType {
  kRelative,       // the given parts of height and width
  kRelativeRange,  // parts drawn between the given ones and 1
  kAbsolute,       // the given pixels, or the whole side where it is shorter
  kAbsoluteRange,  // pixels drawn between the two given ones, for height and width each
};

struct CropOptions {
  CropType type = CropType::kRelativeRange;  // INPUT.CROP.TYPE
  // INPUT.CROP.SIZE: of the height and of the width; for kAbsoluteRange the smallest and largest length.
  double first = 0.9;
  double second = 0.9;
};

// Throws kConfig when the options make no sense, naming the config key.
void check_crop_options(const CropOptions& options);

// A part of a picture in whole pixels; not empty.
struct CropWindow {
  int x, y, width, height;
};

// The window for sample `s` of a run in a picture of that size, at least one pixel: a pure function of its arguments.
CropWindow draw_crop(const CropOptions& options, ImageSize size, std::uint64_t seed, std::int64_t s);

// The pixels of the window, which lies inside the picture.
Image crop_image(const Image& image, CropWindow window);

// Moves boxes into the window and clips them there; those of which nothing is left (a side of at most 1e-5 pixels,
// Detectron2's limit) are removed. The order of the others stays.
void crop_boxes(std::vector<GroundTruthBox>& boxes, CropWindow window);

}  // namespace lockstep
