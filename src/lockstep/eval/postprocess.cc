// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/postprocess.h"

#include <algorithm>

#include "lockstep/base/check.h"

namespace lockstep {

std::optional<CornerBox> scale_to_original(const CornerBox& box, const NetworkInputSize& network, int width,
                                           int height) {
  LS_ASSERT(network.width > 0 && network.height > 0, "a network input of {}x{} pixels", network.width, network.height);
  const auto scale_x = static_cast<float>(static_cast<double>(width) / static_cast<double>(network.width));
  const auto scale_y = static_cast<float>(static_cast<double>(height) / static_cast<double>(network.height));
  const auto right = static_cast<float>(width);
  const auto bottom = static_cast<float>(height);
  const CornerBox scaled = {std::clamp(box.x1 * scale_x, 0.0F, right), std::clamp(box.y1 * scale_y, 0.0F, bottom),
                            std::clamp(box.x2 * scale_x, 0.0F, right), std::clamp(box.y2 * scale_y, 0.0F, bottom)};
  // Written so that a box that is not a number is dropped too.
  if (!(scaled.x2 - scaled.x1 > 0) || !(scaled.y2 - scaled.y1 > 0)) return std::nullopt;
  return scaled;
}

Detection to_coco_detection(const CornerBox& box, float score, std::int64_t image_id, std::int64_t category_id) {
  Detection result;
  result.image_id = image_id;
  result.category_id = category_id;
  result.x = box.x1;
  result.y = box.y1;
  result.w = box.x2 - box.x1;
  result.h = box.y2 - box.y1;
  result.score = score;
  return result;
}

}  // namespace lockstep
