// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

// One line of a YOLO label file: a class and a box in parts of the image size.
struct YoloLabel {
  std::string problem;  // why the line cannot be used; empty when it can
  std::size_t class_index = 0;
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  bool unknown_class = false;  // the problem is the class
  bool polygon = false;        // the box was taken from three points or more
  bool out_of_range = false;   // coordinates are no parts of the image size
};

// Reads "class x y width height" (center and size) or "class x1 y1 x2 y2 x3 y3 ...".
YoloLabel parse_yolo_label(std::string_view line, std::size_t classes);

}  // namespace lockstep
