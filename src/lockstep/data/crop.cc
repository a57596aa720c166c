// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/crop.h"

#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/base/philox.h"

namespace lockstep {
namespace {

bool is_relative(CropType type) { return type == CropType::kRelative || type == CropType::kRelativeRange; }

int part_of(int length, double part) { return std::clamp(static_cast<int>(length * part + 0.5), 1, length); }

// Uniform over low..high, each cut to the length.
int length_between(double low, double high, int length, PhiloxStream& stream) {
  const int from = static_cast<int>(std::min<double>(low, length)),
            to = static_cast<int>(std::min<double>(high, length));
  return from + static_cast<int>(stream.below(static_cast<std::uint32_t>(to - from + 1)));
}

}  // namespace

void check_crop_options(const CropOptions& options) {
  const double low = std::min(options.first, options.second), high = std::max(options.first, options.second);
  if (is_relative(options.type)) {
    LS_CHECK(kConfig, low > 0 && high <= 1, "INPUT.CROP.SIZE is [{}, {}]; wanted parts above 0, up to 1", options.first,
             options.second);
    return;
  }
  LS_CHECK(kConfig, low >= 1, "INPUT.CROP.SIZE is [{}, {}]; wanted pixels, at least 1", options.first, options.second);
  LS_CHECK(kConfig, options.type != CropType::kAbsoluteRange || options.first <= options.second,
           "INPUT.CROP.SIZE is [{}, {}]; wanted the smaller size first", options.first, options.second);
}

CropWindow draw_crop(const CropOptions& options, ImageSize size, std::uint64_t seed, std::int64_t s) {
  static const std::uint32_t kKey = philox_key("crop");
  PhiloxStream stream(seed, static_cast<std::uint64_t>(s), kKey);
  CropWindow window{0, 0, size.width, size.height};
  double tall = options.first, wide = options.second;
  switch (options.type) {
    case CropType::kRelativeRange:
      tall += stream.uniform() * (1 - tall);
      wide += stream.uniform() * (1 - wide);
      [[fallthrough]];
    case CropType::kRelative:
      window.height = part_of(size.height, tall);
      window.width = part_of(size.width, wide);
      break;
    case CropType::kAbsolute:
      window.height = static_cast<int>(std::min<double>(tall, size.height));
      window.width = static_cast<int>(std::min<double>(wide, size.width));
      break;
    case CropType::kAbsoluteRange:
      window.height = length_between(options.first, options.second, size.height, stream);
      window.width = length_between(options.first, options.second, size.width, stream);
      break;
  }
  window.y = static_cast<int>(stream.below(static_cast<std::uint32_t>(size.height - window.height + 1)));
  window.x = static_cast<int>(stream.below(static_cast<std::uint32_t>(size.width - window.width + 1)));
  return window;
}

Image crop_image(const Image& image, CropWindow window) {
  LS_ASSERT(window.x >= 0 && window.y >= 0 && window.width >= 1 && window.height >= 1 &&
                window.x + window.width <= image.width && window.y + window.height <= image.height,
            "the window {} x {} at ({}, {}) leaves the picture of {} x {}", window.width, window.height, window.x,
            window.y, image.width, image.height);
  Image part(window.width, window.height);
  for (int y = 0; y < window.height; ++y) {
    const std::uint8_t* from = image.row(window.y + y) + 3 * window.x;
    std::copy(from, from + 3 * window.width, part.row(y));
  }
  return part;
}

void crop_boxes(std::vector<GroundTruthBox>& boxes, CropWindow window) {
  constexpr float kLeast = 1e-5F;
  const auto left = static_cast<float>(window.x), top = static_cast<float>(window.y);
  const auto width = static_cast<float>(window.width), height = static_cast<float>(window.height);
  for (GroundTruthBox& box : boxes) {
    box.x1 = std::clamp(box.x1 - left, 0.0F, width);
    box.x2 = std::clamp(box.x2 - left, 0.0F, width);
    box.y1 = std::clamp(box.y1 - top, 0.0F, height);
    box.y2 = std::clamp(box.y2 - top, 0.0F, height);
  }
  std::erase_if(boxes,
                [](const GroundTruthBox& box) { return box.x2 - box.x1 <= kLeast || box.y2 - box.y1 <= kLeast; });
}

}  // namespace lockstep
