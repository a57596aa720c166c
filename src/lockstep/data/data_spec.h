// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lockstep/data/data_report.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// Which part of a folder that holds several annotation files is meant.
enum class DataSplit { kTrain, kTest };

enum class DataFormat { kCoco, kVoc, kYolo };

// Where a data set lies.
struct DataLocation {
  DataFormat format = DataFormat::kCoco;
  std::string annotations;  // COCO: the JSON file; VOC: the folder; YOLO: the data.yaml
  std::string image_dir;    // COCO only
  std::string split;        // VOC and YOLO; "" for a VOC folder as a whole
};

// Names that stand for a DATA text, from DATASETS.CATALOG.
using DataCatalog = std::map<std::string, std::string>;

// Resolves one DATA text: `coco:FILE.json:IMAGE_DIR`, `voc:DIR[:split]`, `yolo:data.yaml[:split]`, a folder (the
// format is recognised, also Roboflow's train/valid/test), a name in `catalog`, or a builtin COCO name such as
// coco_2017_train under $DETECTRON2_DATASETS. `split` chooses where the text does not.
// Throws kConfig when it is none of these and kData when a folder holds nothing of the kind.
DataLocation locate_data(const std::string& data, const DataCatalog& catalog, DataSplit split);

// `coco:FILE.json:IMAGE_DIR` and the like: a DATA text that means the same wherever it is resolved.
std::string to_text(const DataLocation& location);

// Reads what lies there.
Dataset read_data(const DataLocation& location, DataReport& report);

// Reads all data sets named and concatenates them; for kTest image ids must differ, so those that a reader has made up
// (VOC, YOLO) are moved out of the way. Whether the images exist is check_images_exist's work. Findings go to `report`.
Dataset load_dataset(const std::vector<std::string>& data, const DataCatalog& catalog, DataSplit split,
                     DataReport& report);
// The same; findings that concern a run are logged.
Dataset load_dataset(const std::vector<std::string>& data, const DataCatalog& catalog, DataSplit split);

}  // namespace lockstep
