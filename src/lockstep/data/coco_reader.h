// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/data/data_report.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// Reads a COCO annotation file. Categories and images come in order of id; annotations in file order. Ids may be
// numeric texts. What is mended, dropped or refused stands in the rules (rules.h) and is counted in `report`.
// Throws kIo when the system refuses to read the file and kData when there is none, when it is no COCO file, and, in
// mode kStop, for a record that fails, naming file and record.
Dataset read_coco(const std::string& json_path, const std::string& image_dir, DataReport& report);

// The same; findings that concern a run are logged.
Dataset read_coco(const std::string& json_path, const std::string& image_dir);

}  // namespace lockstep
