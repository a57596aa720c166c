// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/data/dataset.h"

namespace lockstep {

// Reads a COCO annotation file. Categories and images come in order of id; annotations in file order.
// Missing iscrowd = 0, missing area = w * h, missing annotation id = number in the file, missing image size =
// from the image's header; ids may be numeric texts. Boxes are clipped; boxes without area and those with
// ignore = 1 are dropped. What was fixed or dropped is logged with counts and an example.
// Throws kIo when the system refuses to read the file and kData when there is none and for everything wrong in it,
// naming file and record.
Dataset read_coco(const std::string& json_path, const std::string& image_dir);

}  // namespace lockstep
