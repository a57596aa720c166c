// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/data/data_report.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// Reads a split ("train", "val" or "test") of a YOLO data file. Category ids are YOLO's class numbers. The labels of
// .../images/a.jpg are .../labels/a.txt, else a.txt beside it. Sizes come from the image files, so every file is
// opened; one that cannot be is dropped. Image ids are numbers in the order of paths. Throws kData and kIo as
// read_coco.
Dataset read_yolo(const std::string& yaml_path, const std::string& split, DataReport& report);

}  // namespace lockstep
