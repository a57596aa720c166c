// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/data/dataset.h"
#include "lockstep/data/image.h"
#include "lockstep/engine/detector.h"

namespace lockstep::app {

// The detections of one picture.
struct Prediction {
  std::string path;
  int width = 0, height = 0;
  std::vector<DetectedObject> objects;
};

// "a.jpg: 2 objects", then one line per object.
std::string prediction_text(const Prediction& prediction, const std::vector<Category>& categories);

// One JSON object on one line; boxes as COCO has them, [x, y, width, height] in pixels.
std::string prediction_json_line(const Prediction& prediction, const std::vector<Category>& categories);

// All of them as one COCO results list; image_id counts from 1 in the order given.
std::string predictions_coco_json(const std::vector<Prediction>& predictions, const std::vector<Category>& categories);

// Picture files among files and folders, in order; a folder gives its JPEG and PNG files by name. kData for what does
// not exist and for a folder without pictures.
std::vector<std::string> picture_files(const std::vector<std::string>& files_and_folders);

}  // namespace lockstep::app
