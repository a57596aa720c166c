// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/box_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr double kSlack = 1e-3;  // rounding of coordinates that were written as text

// As x, y, width, height the box leaves its image; as two corners it lies inside.
bool looks_like_corners(const StatedBox& box, const ImageRecord& image) {
  const bool leaves = box.x + box.width > image.width + kSlack || box.y + box.height > image.height + kSlack;
  return leaves && box.x >= 0 && box.y >= 0 && box.width > box.x && box.height > box.y &&
         box.width <= image.width + kSlack && box.height <= image.height + kSlack;
}

bool looks_normalised(const StatedBox& box, const ImageRecord& image) {
  return image.width > 4 && image.height > 4 && box.x + box.width <= 1 && box.y + box.height <= 1 && box.x >= 0 &&
         box.y >= 0;
}

}  // namespace

std::optional<GroundTruthBox> clipped_box(const StatedBox& box, const ImageRecord& image, DataReport& report,
                                          const std::function<RuleExample()>& describe) {
  const auto here = [&] {
    RuleExample example = describe();
    example.detail =
        fmt::format("bbox [{}, {}, {}, {}], image '{}'", box.x, box.y, box.width, box.height, image.file_name);
    return example;
  };
  if (!(box.width > 0 && box.height > 0)) {
    report.hit(Rule::kBoxWithoutSize, here);
    return std::nullopt;
  }
  if (looks_like_corners(box, image)) report.hit(Rule::kBoxLooksLikeCorners, here);
  if (looks_normalised(box, image)) report.hit(Rule::kBoxLooksNormalised, here);
  const auto clip = [](double value, int limit) {
    return static_cast<float>(std::clamp(value, 0.0, static_cast<double>(limit)));
  };
  const GroundTruthBox clipped{clip(box.x, image.width),
                               clip(box.y, image.height),
                               clip(box.x + box.width, image.width),
                               clip(box.y + box.height, image.height),
                               box.class_index,
                               box.crowd,
                               box.area,
                               box.annotation_id};
  if (!(clipped.x2 > clipped.x1 && clipped.y2 > clipped.y1)) {
    report.hit(Rule::kBoxOutside, here);
    return std::nullopt;
  }
  const bool inside = box.x >= -kSlack && box.y >= -kSlack && box.x + box.width <= image.width + kSlack &&
                      box.y + box.height <= image.height + kSlack;
  if (!inside) report.hit(Rule::kBoxClipped, here);
  return clipped;
}

void add_stated_box(const StatedBox& box, ImageRecord& image, DataReport& report,
                    const std::function<RuleExample()>& describe) {
  if (const auto clipped = clipped_box(box, image, report, describe)) image.boxes.push_back(*clipped);
}

}  // namespace lockstep
