// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/data/dataset.h"

namespace lockstep {

// The categories as COCO JSON, [{"id": 1, "name": "cat"}, ...], as checkpoints hold them.
std::string categories_to_json(const std::vector<Category>& categories);
// kData naming `source` when the text is not such a list.
std::vector<Category> categories_from_json(const std::string& json, const std::string& source);

}  // namespace lockstep
