// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "lockstep/eval/coco_eval.h"

namespace lockstep {

// Corners in pixels.
struct CornerBox {
  float x1 = 0;
  float y1 = 0;
  float x2 = 0;
  float y2 = 0;
};

// The resized image that the network saw, without padding: the first two numbers of its im_info.
struct NetworkInputSize {
  float height = 0;
  float width = 0;
};

// A box of the network's input in pixels of the original image of width x height: scaled and clipped to it, in f32, as
// Detectron2's detector_postprocess does. Nothing when it is empty then (such detections are dropped).
std::optional<CornerBox> scale_to_original(const CornerBox& box, const NetworkInputSize& network, int width,
                                           int height);

// The box in COCO's terms: [x, y, width, height], the sides taken in f32 as Detectron2's BoxMode.convert does.
Detection to_coco_detection(const CornerBox& box, float score, std::int64_t image_id, std::int64_t category_id);

}  // namespace lockstep
