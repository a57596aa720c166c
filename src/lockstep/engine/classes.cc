// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/classes.h"

#include <fmt/format.h>

#include "lockstep/base/check.h"

namespace lockstep {

void set_classes(Config& config, const std::vector<Category>& categories) {
  constexpr std::string_view kKey = "MODEL.ROI_HEADS.NUM_CLASSES";
  const int found = static_cast<int>(categories.size());
  if (!config.is_set(kKey)) {
    config.model.roi_heads.num_classes = found;
    config.set_keys.insert(std::string(kKey));
    return;
  }
  LS_CHECK(kConfig, config.model.roi_heads.num_classes == found,
           "{} is {}, but the training data has {} categories: {}; leave the key out, or set it to {}", kKey,
           config.model.roi_heads.num_classes, found, fmt::join(category_names(categories), ", "), found);
}

void require_boxes_in_every_category(const Dataset& train_set) {
  std::vector<bool> has_box(train_set.categories.size(), false);
  for (const ImageRecord& image : train_set.images) {
    for (const GroundTruthBox& box : image.boxes) {
      if (!box.crowd) has_box[static_cast<std::size_t>(box.class_index)] = true;
    }
  }
  std::vector<std::string> empty;
  for (std::size_t c = 0; c < has_box.size(); ++c) {
    if (!has_box[c]) empty.push_back(train_set.categories[c].name);
  }
  LS_CHECK(
      kData, empty.empty(),
      "the training data {} has categories without a box: {} ({} of {}); remove them from the annotation file, add "
      "images of them, or train without learning them with DATASETS.ALLOW_EMPTY_CATEGORIES True",
      train_set.name, fmt::join(empty, ", "), empty.size(), has_box.size());
}

void require_same_categories(const std::vector<Category>& checkpoint, const std::vector<Category>& data,
                             const std::string& path) {
  const auto before = category_names(checkpoint);
  const auto now = category_names(data);
  LS_CHECK(kData, before == now, "{} was trained on the categories {}; the data has {}", path, fmt::join(before, ", "),
           fmt::join(now, ", "));
}

}  // namespace lockstep
