// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/augment.h"

#include <algorithm>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/base/philox.h"

namespace lockstep {
namespace {

void flip_left_right(Image& image) {
  for (int y = 0; y < image.height; ++y) {
    std::uint8_t* left = image.row(y);
    std::uint8_t* right = left + 3 * (image.width - 1);
    for (; left < right; left += 3, right -= 3) std::swap_ranges(left, left + 3, right);
  }
}

void flip_up_down(Image& image) {
  for (int top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(image.row(top), image.row(top) + 3 * image.width, image.row(bottom));
  }
}

}  // namespace

void check_augment_options(const AugmentOptions& options) {
  LS_CHECK(kConfig, !options.min_sizes.empty(), "INPUT.MIN_SIZE_TRAIN is empty; wanted at least one size in pixels");
  for (const int size : options.min_sizes) {
    LS_CHECK(kConfig, size >= 0, "INPUT.MIN_SIZE_TRAIN holds {}; wanted pixels, or 0 to keep the size", size);
  }
  LS_CHECK(kConfig,
           !options.sample_range || (options.min_sizes.size() == 2 && options.min_sizes[0] <= options.min_sizes[1]),
           "INPUT.MIN_SIZE_TRAIN_SAMPLING 'range' wants two sizes (low, high) in INPUT.MIN_SIZE_TRAIN, got {} of them",
           options.min_sizes.size());
  LS_CHECK(kConfig, options.max_size >= 1, "INPUT.MAX_SIZE_TRAIN is {}; wanted pixels", options.max_size);
  if (options.crop) check_crop_options(*options.crop);
  check_colour_options(options.colour);
}

int draw_shortest_edge(const AugmentOptions& options, std::uint64_t seed, std::int64_t s) {
  static const std::uint32_t kKey = philox_key("resize");
  if (options.min_sizes.size() == 1) return options.min_sizes.front();
  PhiloxStream stream(seed, static_cast<std::uint64_t>(s), kKey);
  if (options.sample_range) {
    const int low = options.min_sizes[0], high = options.min_sizes[1];
    return low + static_cast<int>(stream.below(static_cast<std::uint32_t>(high - low + 1)));
  }
  return options.min_sizes[stream.below(static_cast<std::uint32_t>(options.min_sizes.size()))];
}

bool draw_flip(Flip flip, std::uint64_t seed, std::int64_t s) {
  static const std::uint32_t kHorizontalKey = philox_key("flip"), kVerticalKey = philox_key("vertical flip");
  const std::uint32_t key = flip == Flip::kHorizontal ? kHorizontalKey : kVerticalKey;
  return PhiloxStream(seed, static_cast<std::uint64_t>(s), key).below(2) == 1;
}

void flip_image(Image& image, Flip flip) {
  if (flip == Flip::kHorizontal) flip_left_right(image);
  if (flip == Flip::kVertical) flip_up_down(image);
}

void flip_boxes(std::vector<GroundTruthBox>& boxes, ImageSize size, Flip flip) {
  const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
  for (GroundTruthBox& box : boxes) {
    if (flip == Flip::kHorizontal) box.x1 = width - std::exchange(box.x2, width - box.x1);
    if (flip == Flip::kVertical) box.y1 = height - std::exchange(box.y2, height - box.y1);
  }
}

void scale_boxes(std::vector<GroundTruthBox>& boxes, ImageSize from, ImageSize to) {
  if (from == to) return;
  const auto width = static_cast<float>(to.width), height = static_cast<float>(to.height);
  const float sx = width / static_cast<float>(from.width), sy = height / static_cast<float>(from.height);
  for (GroundTruthBox& box : boxes) {
    box.x1 = std::min(box.x1 * sx, width);
    box.x2 = std::min(box.x2 * sx, width);
    box.y1 = std::min(box.y1 * sy, height);
    box.y2 = std::min(box.y2 * sy, height);
  }
}

}  // namespace lockstep
