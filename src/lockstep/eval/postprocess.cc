// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/postprocess.h"

#include <algorithm>

#include "lockstep/base/check.h"

namespace lockstep {

std::vector<NetworkDetection> scale_to_image(std::vector<NetworkDetection> detections, ImageSize network,
                                             ImageSize original) {
  LS_ASSERT(network.width > 0 && network.height > 0, "a network input of {}x{} pixels", network.width, network.height);
  const auto scale_x = static_cast<float>(static_cast<double>(original.width) / network.width);
  const auto scale_y = static_cast<float>(static_cast<double>(original.height) / network.height);
  const auto width = static_cast<float>(original.width);
  const auto height = static_cast<float>(original.height);
  for (NetworkDetection& d : detections) {
    d.x0 = std::clamp(d.x0 * scale_x, 0.0F, width);
    d.y0 = std::clamp(d.y0 * scale_y, 0.0F, height);
    d.x1 = std::clamp(d.x1 * scale_x, 0.0F, width);
    d.y1 = std::clamp(d.y1 * scale_y, 0.0F, height);
  }
  std::erase_if(detections, [](const NetworkDetection& d) { return !(d.x1 - d.x0 > 0) || !(d.y1 - d.y0 > 0); });
  return detections;
}

Detection to_coco_detection(const NetworkDetection& detection, std::int64_t image_id,
                            const std::vector<std::int64_t>& category_ids) {
  const auto index = static_cast<std::size_t>(detection.class_index);
  LS_ASSERT(detection.class_index >= 0 && index < category_ids.size(), "class index {} of {} classes",
            detection.class_index, category_ids.size());
  Detection result;
  result.image_id = image_id;
  result.category_id = category_ids[index];
  result.x = detection.x0;
  result.y = detection.y0;
  result.w = detection.x1 - detection.x0;  // in f32, as Detectron2's BoxMode.convert
  result.h = detection.y1 - detection.y0;
  result.score = detection.score;
  return result;
}

}  // namespace lockstep
