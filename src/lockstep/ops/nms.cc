// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/nms.h"

#include <limits>
#include <map>
#include <numeric>

namespace lockstep {
namespace {

// The largest T that is not above `threshold`: an IoU of type T is above the one exactly when it is above the other.
template <typename T>
T round_down(double threshold) {
  const T rounded = static_cast<T>(threshold);
  return static_cast<double>(rounded) > threshold ? std::nextafter(rounded, -std::numeric_limits<T>::infinity())
                                                  : rounded;
}

// Boxes as one array per coordinate, in order of x1, which the compiler can vectorise over.
template <typename T>
struct SortedBoxes {
  std::vector<T> x1, y1, x2, y2, area;
  std::vector<T> gone;                  // 1 for a suppressed box; a T so that one vector lane serves a box
  std::vector<std::int32_t> positions;  // of the boxes as they were given

  explicit SortedBoxes(const std::vector<Box<T>>& boxes) {
    std::vector<std::int32_t> order(boxes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      const T left = boxes[static_cast<std::size_t>(a)].x1;
      const T right = boxes[static_cast<std::size_t>(b)].x1;
      return left != right ? left < right : a < b;
    });
    for (std::vector<T>* column : {&x1, &y1, &x2, &y2, &area}) column->reserve(boxes.size());
    gone.assign(boxes.size(), T{0});
    positions.resize(boxes.size());
    for (std::size_t position = 0; position < order.size(); ++position) {
      const Box<T>& box = boxes[static_cast<std::size_t>(order[position])];
      x1.push_back(box.x1);
      y1.push_back(box.y1);
      x2.push_back(box.x2);
      y2.push_back(box.y2);
      area.push_back(box.area());
      positions[static_cast<std::size_t>(order[position])] = static_cast<std::int32_t>(position);
    }
  }

  void suppress(std::size_t by, std::size_t begin, std::size_t end, T limit) {
    const T by_x1 = x1[by], by_y1 = y1[by], by_x2 = x2[by], by_y2 = y2[by], by_area = area[by];
    const T* __restrict a = x1.data();
    const T* __restrict b = y1.data();
    const T* __restrict c = x2.data();
    const T* __restrict d = y2.data();
    const T* __restrict areas = area.data();
    T* __restrict flags = gone.data();
    for (std::size_t j = begin; j < end; ++j) {
      T width = (by_x2 < c[j] ? by_x2 : c[j]) - (by_x1 > a[j] ? by_x1 : a[j]);
      T height = (by_y2 < d[j] ? by_y2 : d[j]) - (by_y1 > b[j] ? by_y1 : b[j]);
      width = width > 0 ? width : 0;
      height = height > 0 ? height : 0;
      const T inter = width * height;
      flags[j] = inter / (by_area + areas[j] - inter) > limit ? T{1} : flags[j];
    }
  }
};

}  // namespace

template <typename T>
std::vector<std::int32_t> nms(const std::vector<Box<T>>& boxes, double threshold, std::size_t max_keep) {
  std::vector<std::int32_t> kept;
  if (boxes.empty() || max_keep == 0) return kept;
  SortedBoxes<T> sorted(boxes);
  const T limit = round_down<T>(threshold);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto by = static_cast<std::size_t>(sorted.positions[i]);
    if (sorted.gone[by] != 0) continue;
    kept.push_back(static_cast<std::int32_t>(i));
    if (kept.size() == max_keep) break;
    const T width = boxes[i].width();
    if (!(width > 0 && boxes[i].height() > 0)) continue;  // overlaps nothing
    // The IoU of two boxes is at most the overlap of their x-intervals over the hull of these, so an IoU above t keeps
    // the left edges within width * (1 - t) / t of each other. The margin covers rounding.
    const T reach = static_cast<T>(static_cast<double>(width) * ((1.0 - threshold) / threshold * 1.001 + 0.001));
    const auto first = std::lower_bound(sorted.x1.begin(), sorted.x1.end(), boxes[i].x1 - reach);
    const auto last = std::upper_bound(first, sorted.x1.end(), boxes[i].x1 + reach);
    sorted.suppress(by, static_cast<std::size_t>(first - sorted.x1.begin()),
                    static_cast<std::size_t>(last - sorted.x1.begin()), limit);
  }
  return kept;
}

template <typename T>
std::vector<std::int32_t> grouped_nms(const std::vector<Box<T>>& boxes, const std::vector<std::int32_t>& groups,
                                      double threshold, std::size_t max_keep) {
  std::map<std::int32_t, std::vector<std::int32_t>> members;
  for (std::size_t i = 0; i < boxes.size(); ++i) members[groups[i]].push_back(static_cast<std::int32_t>(i));
  std::vector<std::int32_t> kept;
  std::vector<Box<T>> own;
  for (const auto& [group, indices] : members) {
    own.clear();
    for (const std::int32_t i : indices) own.push_back(boxes[static_cast<std::size_t>(i)]);
    for (const std::int32_t i : nms(own, threshold, max_keep)) kept.push_back(indices[static_cast<std::size_t>(i)]);
  }
  std::sort(kept.begin(), kept.end());
  if (kept.size() > max_keep) kept.resize(max_keep);
  return kept;
}

template std::vector<std::int32_t> nms<float>(const std::vector<Box<float>>&, double, std::size_t);
template std::vector<std::int32_t> nms<double>(const std::vector<Box<double>>&, double, std::size_t);
template std::vector<std::int32_t> grouped_nms<float>(const std::vector<Box<float>>&, const std::vector<std::int32_t>&,
                                                      double, std::size_t);
template std::vector<std::int32_t> grouped_nms<double>(const std::vector<Box<double>>&,
                                                       const std::vector<std::int32_t>&, double, std::size_t);

}  // namespace lockstep
