// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lockstep/data/data_report.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

enum class DecodeLevel {
  kNone,    // whether the files exist
  kHeader,  // their headers
  kFull,    // all pixels, and copies of files
};

// A data set as it was read, and the source of its findings in the report.
struct ReadDataset {
  std::string source;
  Dataset dataset;
};

// The rules of image files for all data sets together, on all cores; the report is the same for every number of them.
// Only reads. Throws kIo when the system refuses to read a file that is there.
void check_files(const std::vector<ReadDataset>& sets, DecodeLevel level, DataReport& report);

}  // namespace lockstep
