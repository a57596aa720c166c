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

void require_same_categories(const std::vector<Category>& checkpoint, const std::vector<Category>& data,
                             const std::string& path) {
  const auto before = category_names(checkpoint);
  const auto now = category_names(data);
  LS_CHECK(kData, before == now, "{} was trained on the categories {}; the data has {}", path, fmt::join(before, ", "),
           fmt::join(now, ", "));
}

}  // namespace lockstep
