// SPDX-License-Identifier: Apache-2.0
#include "drawings.h"

#include <utility>

namespace lockstep::app {

Picture to_picture(Image image) { return {image.width, image.height, std::move(image.bgr)}; }

std::vector<DrawnBox> boxes_to_draw(const Prediction& prediction, const std::vector<Category>& categories) {
  std::vector<DrawnBox> boxes;
  for (const DetectedObject& object : prediction.objects) {
    const std::string& name = categories.at(static_cast<std::size_t>(object.class_index)).name;
    boxes.push_back({object.x1, object.y1, object.x2, object.y2, object.class_index, name, object.score});
  }
  return boxes;
}

}  // namespace lockstep::app
