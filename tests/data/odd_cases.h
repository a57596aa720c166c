// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/odd_files.h"

namespace lockstep {

// The parts of odd_cases().
const std::vector<OddCase>& odd_annotations();
const std::vector<OddCase>& odd_coco_files();
const std::vector<OddCase>& odd_voc_files();
const std::vector<OddCase>& odd_yolo_files();

}  // namespace lockstep
