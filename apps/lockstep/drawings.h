// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lockstep/data/dataset.h"
#include "lockstep/data/image.h"
#include "lockstep/eval/draw.h"
#include "predictions.h"

namespace lockstep::app {

Picture to_picture(Image image);

// The detections as labelled boxes, best score first.
std::vector<DrawnBox> boxes_to_draw(const Prediction& prediction, const std::vector<Category>& categories);

}  // namespace lockstep::app
