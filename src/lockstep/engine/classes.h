// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"

namespace lockstep {

// Gives MODEL.ROI_HEADS.NUM_CLASSES the number of training categories where no file and no override has set it; set
// to another number is a kConfig error that lists the categories.
void set_classes(Config& config, const std::vector<Category>& categories);

// kData, naming the categories, when some have no box (crowd regions aside) in the training data: they cannot be
// learned, and often tell of a wrong file. DATASETS.ALLOW_EMPTY_CATEGORIES is the way round it.
void require_boxes_in_every_category(const Dataset& train_set);

// kData, naming both lists, when a checkpoint was trained on other categories.
void require_same_categories(const std::vector<Category>& checkpoint, const std::vector<Category>& data,
                             const std::string& path);

}  // namespace lockstep
