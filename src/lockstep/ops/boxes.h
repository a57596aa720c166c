// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep {

// A box in pixels by its corners (x1, y1) and (x2, y2), without Detectron v1's "+1": the width is x2 - x1.
template <typename T>
struct Box {
  T x1 = 0;
  T y1 = 0;
  T x2 = 0;
  T y2 = 0;

  T width() const { return x2 - x1; }
  T height() const { return y2 - y1; }
  T area() const { return width() * height(); }
  bool operator==(const Box&) const = default;
};

template <typename T>
Box<T> load_box(const T* row) {
  return {row[0], row[1], row[2], row[3]};
}

template <typename T>
void store_box(const Box<T>& box, T* row) {
  row[0] = box.x1;
  row[1] = box.y1;
  row[2] = box.x2;
  row[3] = box.y2;
}

template <typename T>
bool is_finite(const Box<T>& box) {
  return std::isfinite(box.x1) && std::isfinite(box.y1) && std::isfinite(box.x2) && std::isfinite(box.y2);
}

// Intersection over union; 0 for boxes that do not overlap, and so for a union of 0.
template <typename T>
T box_iou(const Box<T>& a, const Box<T>& b) {
  const T width = std::max(std::min(a.x2, b.x2) - std::max(a.x1, b.x1), T{0});
  const T height = std::max(std::min(a.y2, b.y2) - std::max(a.y1, b.y1), T{0});
  const T inter = width * height;
  return inter > 0 ? inter / (a.area() + b.area() - inter) : T{0};
}

// The box cut to an image: x in [0, image_width], y in [0, image_height].
template <typename T>
Box<T> clip_box(const Box<T>& box, T image_height, T image_width) {
  return {std::clamp(box.x1, T{0}, image_width), std::clamp(box.y1, T{0}, image_height),
          std::clamp(box.x2, T{0}, image_width), std::clamp(box.y2, T{0}, image_height)};
}

// Factors of the four regression targets (MODEL.RPN.BBOX_REG_WEIGHTS, MODEL.ROI_BOX_HEAD.BBOX_REG_WEIGHTS).
template <typename T>
struct BoxWeights {
  T x = 1;
  T y = 1;
  T width = 1;
  T height = 1;
};

// Throws kGraph unless there are four positive values: (x, y, width, height).
void check_box_weights(const std::vector<double>& weights);

template <typename T>
BoxWeights<T> box_weights(const std::vector<double>& weights) {
  check_box_weights(weights);
  return {static_cast<T>(weights[0]), static_cast<T>(weights[1]), static_cast<T>(weights[2]),
          static_cast<T>(weights[3])};
}

// The largest log-ratio of sizes that decoding follows: a factor of 1000 / 16 (R-CNN's clamp).
inline constexpr double kBoxScaleClamp = 4.135166556742356;  // log(1000 / 16)

// The four regression values that turn `source` into `target` (Girshick et al., "Rich feature hierarchies", 2014,
// appendix C): shifts of the centre over the size of the source, and log-ratios of the sizes, each times its weight.
// All zero when a box has no area: the rows without an object hold no box to regress to.
template <typename T>
Box<T> encode_box(const Box<T>& source, const Box<T>& target, const BoxWeights<T>& weights) {
  const T source_width = source.width();
  const T source_height = source.height();
  const T target_width = target.width();
  const T target_height = target.height();
  if (!(source_width > 0 && source_height > 0 && target_width > 0 && target_height > 0)) return {};
  const T half = T{0.5};
  const T shift_x = (target.x1 + half * target_width) - (source.x1 + half * source_width);
  const T shift_y = (target.y1 + half * target_height) - (source.y1 + half * source_height);
  return {weights.x * shift_x / source_width, weights.y * shift_y / source_height,
          weights.width * std::log(target_width / source_width),
          weights.height * std::log(target_height / source_height)};
}

// The inverse of encode_box. Sizes grow at most by exp(kBoxScaleClamp).
template <typename T>
Box<T> decode_box(const Box<T>& source, const T* deltas, const BoxWeights<T>& weights) {
  const T half = T{0.5};
  const T clamp = static_cast<T>(kBoxScaleClamp);
  const T width = source.width();
  const T height = source.height();
  const T center_x = deltas[0] / weights.x * width + (source.x1 + half * width);
  const T center_y = deltas[1] / weights.y * height + (source.y1 + half * height);
  const T new_width = std::exp(std::min(deltas[2] / weights.width, clamp)) * width;
  const T new_height = std::exp(std::min(deltas[3] / weights.height, clamp)) * height;
  return {center_x - half * new_width, center_y - half * new_height, center_x + half * new_width,
          center_y + half * new_height};
}

}  // namespace lockstep
