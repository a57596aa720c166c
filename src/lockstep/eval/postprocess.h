// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/eval/coco_eval.h"

namespace lockstep {

// A box as the network gives it: corners in pixels, class index from 0.
struct NetworkDetection {
  float x0 = 0;
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;
  float score = 0;
  int class_index = 0;
};

struct ImageSize {
  int height = 0;
  int width = 0;
};

// Boxes of the network's input (the resized image, without padding) in pixels of the original image: scaled, clipped
// to it, empty ones dropped; in f32, as Detectron2's detector_postprocess does. The order is kept.
std::vector<NetworkDetection> scale_to_image(std::vector<NetworkDetection> detections, ImageSize network,
                                             ImageSize original);

// The detection in COCO's terms: [x, y, width, height], the category id of its class. category_ids lists them by class
// index; an index outside it is an internal error.
Detection to_coco_detection(const NetworkDetection& detection, std::int64_t image_id,
                            const std::vector<std::int64_t>& category_ids);

}  // namespace lockstep
