// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/split.h"

#include <filesystem>

#include "lockstep/base/check.h"
#include "lockstep/base/philox.h"

namespace lockstep {

bool is_held_out(const std::string& file_name, double part) {
  std::string name = std::filesystem::path(file_name).stem().string();
  name = name.substr(0, name.find(".rf."));
  constexpr std::uint64_t kSeed = 0;
  PhiloxStream random(kSeed, 0, philox_key(name));
  return random.uniform() < part;
}

std::pair<Dataset, Dataset> split_by_name(const Dataset& dataset, double part) {
  LS_CHECK(kConfig, part > 0 && part < 1, "the part to hold out is {}; wanted between 0 and 1, as in 0.2", part);
  Dataset kept{dataset.name + "_train", dataset.categories, {}}, held{dataset.name + "_val", dataset.categories, {}};
  for (const ImageRecord& image : dataset.images) {
    (is_held_out(image.file_name, part) ? held : kept).images.push_back(image);
  }
  LS_CHECK(kData, !kept.images.empty() && !held.images.empty(),
           "data set '{}' has {} images; split by {} one part is empty: {} for training, {} held out", dataset.name,
           dataset.images.size(), part, kept.images.size(), held.images.size());
  return {std::move(kept), std::move(held)};
}

}  // namespace lockstep
