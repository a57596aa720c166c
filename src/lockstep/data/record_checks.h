// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/data/data_report.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// The rules that hold whatever the format: classes without boxes, and when the report collects also records that repeat
// others and boxes that are odd. The findings go to the report's current source. Gives memory back that reading left.
void check_records(Dataset& dataset, DataReport& report);

}  // namespace lockstep
