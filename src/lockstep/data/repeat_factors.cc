// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/repeat_factors.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

std::vector<double> repeat_factors(const Dataset& dataset, const RepeatOptions& options) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<double> images_with(dataset.categories.size(), 0);
  std::vector<std::size_t> last_image(dataset.categories.size(), kNone);
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    for (const GroundTruthBox& box : dataset.images[i].boxes) {
      const auto category = static_cast<std::size_t>(box.class_index);
      if (last_image[category] != i) ++images_with[category];
      last_image[category] = i;
    }
  }
  std::vector<double> of_category;
  for (const double count : images_with) {
    const double frequency = count / static_cast<double>(dataset.images.size());
    const double ratio = count > 0 ? options.threshold / frequency : 1;
    of_category.push_back(std::max(1.0, options.square_root ? std::sqrt(ratio) : ratio));
  }
  std::vector<double> factors;
  for (const ImageRecord& image : dataset.images) {
    double factor = 1;
    for (const GroundTruthBox& box : image.boxes) {
      factor = std::max(factor, of_category[static_cast<std::size_t>(box.class_index)]);
    }
    factors.push_back(factor);
  }
  return factors;
}

}  // namespace lockstep
