// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "lockstep/data/dataset.h"

namespace lockstep {

// True for the names of about `part` of all pictures: a pure function of the file name, so that adding pictures moves
// none from one part to the other. Copies that Roboflow has augmented (NAME.rf.HASH.jpg) go where their original goes.
bool is_held_out(const std::string& file_name, double part);

// The data set without and with the held-out images. kConfig unless 0 < part < 1; kData when one of them is empty.
std::pair<Dataset, Dataset> split_by_name(const Dataset& dataset, double part);

}  // namespace lockstep
