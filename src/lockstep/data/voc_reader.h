// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/data/data_report.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// A folder of Pascal VOC files in one of these layouts:
//   Annotations/*.xml, JPEGImages/ and ImageSets/Main/<split>.txt   (VOC's own)
//   <split>/ with XML files and pictures side by side               (Roboflow's export)
//   XML files and pictures side by side, or Annotations/ and images/, without splits
bool is_voc_folder(const std::string& folder);
// The names of its splits, sorted; empty when there are none.
std::vector<std::string> voc_splits(const std::string& folder);

// Reads the split, or everything for "". The classes are the names in all XML files of the folder, in alphabetical
// order, so that all splits agree; ids count from 1. Corners are pixels counted from 1, both ends in the box: as in
// Detectron2 x = xmin - 1 and width = xmax - x, unless a box of the folder starts at 0. Image ids are numbers in the
// order of names. Throws kData and kIo as read_coco.
Dataset read_voc(const std::string& folder, const std::string& split, DataReport& report);

}  // namespace lockstep
