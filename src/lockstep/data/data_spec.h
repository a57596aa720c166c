// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lockstep/data/dataset.h"

namespace lockstep {

// Which part of a folder that holds several annotation files is meant.
enum class DataSplit { kTrain, kTest };

// An annotation file with its image directory.
struct CocoLocation {
  std::string json_path;
  std::string image_dir;
};

// Names that stand for a DATA text, from DATASETS.CATALOG.
using DataCatalog = std::map<std::string, std::string>;

// Resolves one DATA text: `coco:FILE.json:IMAGE_DIR`, a folder (COCO layouts are recognised), a name in
// `catalog`, or a builtin COCO name such as coco_2017_train under $DETECTRON2_DATASETS.
// Throws kConfig when it is none of these and kUnsupported for voc: and yolo:.
CocoLocation locate_data(const std::string& data, const DataCatalog& catalog, DataSplit split);

// Reads all data sets named and concatenates them; for kTest image ids must differ. Whether the images exist is
// check_images_exist's work.
Dataset load_dataset(const std::vector<std::string>& data, const DataCatalog& catalog, DataSplit split);

}  // namespace lockstep
