// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/tensor/shape.h"

namespace lockstep {

// One tensor of every record of a loader; sizes differ from record to record.
struct RecordField {
  std::string name;
  DType dtype;
  int rank;
};

}  // namespace lockstep
