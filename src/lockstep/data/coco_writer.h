// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/data/dataset.h"

namespace lockstep {

// The data set as COCO JSON, with the boxes as they are used (clipped, mended). `file_name` is the picture's path
// relative to `image_dir`, or its absolute path where `image_dir` is empty. Ids are kept where they differ, else images
// are numbered from 1; annotations are numbered from 1.
std::string coco_json(const Dataset& dataset, const std::string& image_dir);

}  // namespace lockstep
