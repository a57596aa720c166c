// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

struct Roidb {
  Dataset dataset;              // the images that train
  std::size_t images_read = 0;  // before filtering
};

// The training images of a recipe, as Detectron's function of this name gives them: DATASETS.TRAIN joined in order,
// without the images that have no box but crowd regions (unless DATALOADER.FILTER_EMPTY_ANNOTATIONS is False). Flips
// are drawn when images are loaded; the line that is logged counts them as Detectron does, which lists flipped copies.
// Throws as load_dataset and filter_images_without_boxes do, and kData when image files do not exist and
// `look_for_files`.
Roidb combined_roidb_for_training(const Config& config, bool look_for_files = true);

}  // namespace lockstep
