// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/matcher.h"

#include <fmt/format.h>

#include <array>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

constexpr std::int64_t kTile = 1024;

// A run of candidates as one array per coordinate, which the compiler can vectorise over.
template <typename T>
class Tile {
 public:
  Tile(const T* rows, std::int64_t count) : count_(count) {
    for (std::int64_t j = 0; j < count; ++j) {
      const Box<T> box = load_box(rows + 4 * j);
      const auto at = static_cast<std::size_t>(j);
      x1_[at] = box.x1;
      y1_[at] = box.y1;
      x2_[at] = box.x2;
      y2_[at] = box.y2;
      area_[at] = box.area();
    }
    for (auto at = static_cast<std::size_t>(count); at < kTile; ++at) {
      x1_[at] = y1_[at] = x2_[at] = y2_[at] = area_[at] = T{0};  // never overlaps, so never a maximum above 0
    }
  }

  // iou()[j] = IoU of candidate j and `truth`, for the whole tile.
  void compute(const Box<T>& truth) {
    const T area = truth.area();
    for (std::size_t j = 0; j < kTile; ++j) {
      T width = (truth.x2 < x2_[j] ? truth.x2 : x2_[j]) - (truth.x1 > x1_[j] ? truth.x1 : x1_[j]);
      T height = (truth.y2 < y2_[j] ? truth.y2 : y2_[j]) - (truth.y1 > y1_[j] ? truth.y1 : y1_[j]);
      width = width > 0 ? width : 0;
      height = height > 0 ? height : 0;
      const T inter = width * height;
      const T iou = inter / (area + area_[j] - inter);
      iou_[j] = inter > 0 ? iou : 0;
    }
  }

  T largest() const {
    std::array<T, 8> lanes{};
    for (std::size_t j = 0; j < kTile; j += lanes.size()) {
      for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] = iou_[j + k] > lanes[k] ? iou_[j + k] : lanes[k];
    }
    return *std::max_element(lanes.begin(), lanes.end());
  }

  const std::array<T, kTile>& iou() const { return iou_; }
  std::int64_t count() const { return count_; }

 private:
  std::int64_t count_;
  std::array<T, kTile> x1_, y1_, x2_, y2_, area_, iou_;
};

}  // namespace

Matcher::Matcher(const std::vector<double>& thresholds, const std::vector<std::int64_t>& labels, bool allow_low_quality)
    : thresholds_(thresholds), labels_(labels.begin(), labels.end()), allow_low_quality_(allow_low_quality) {
  bool ascending = true;
  double before = 0.0;
  for (const double threshold : thresholds) {
    ascending = ascending && threshold > 0.0 && threshold >= before && threshold <= 1.0;
    before = threshold;
  }
  LS_CHECK(kGraph, ascending, "IoU thresholds are ({}); wanted ascending numbers in (0, 1]",
           fmt::join(thresholds, ", "));
  LS_CHECK(kGraph, labels.size() == thresholds.size() + 1,
           "there are {} IoU labels for {} IoU thresholds; wanted one label more than thresholds", labels.size(),
           thresholds.size());
  for (const std::int64_t label : labels) {
    LS_CHECK(kGraph, label >= -1 && label <= 1,
             "IoU labels are ({}); wanted -1 (ignored), 0 (background) or 1 (object)", fmt::join(labels, ", "));
  }
}

template <typename T>
void Matcher::match(const T* candidates, std::int64_t count, const std::vector<Box<T>>& truth, std::int32_t* labels,
                    std::int32_t* assigned) const {
  std::fill_n(assigned, count, 0);
  if (truth.empty()) {
    std::fill_n(labels, count, labels_[0]);
    return;
  }
  std::vector<T> limits;
  for (const double threshold : thresholds_) limits.push_back(static_cast<T>(threshold));
  const std::int64_t tiles = (count + kTile - 1) / kTile;
  std::vector<T> tile_best(allow_low_quality_ ? static_cast<std::size_t>(tiles) * truth.size() : 0);
  std::vector<T> truth_best(truth.size(), T{0});
  std::array<T, kTile> best;
  std::array<std::int32_t, kTile> best_index;
  for (std::int64_t t = 0; t < tiles; ++t) {
    const std::int64_t begin = t * kTile;
    Tile<T> tile(candidates + 4 * begin, std::min(kTile, count - begin));
    best.fill(T{-1});
    for (std::size_t g = 0; g < truth.size(); ++g) {
      tile.compute(truth[g]);
      const std::array<T, kTile>& iou = tile.iou();
      const auto index = static_cast<std::int32_t>(g);
      for (std::size_t j = 0; j < kTile; ++j) {
        const bool better = iou[j] > best[j];
        best[j] = better ? iou[j] : best[j];
        best_index[j] = better ? index : best_index[j];
      }
      if (!allow_low_quality_) continue;
      const T largest = tile.largest();
      tile_best[static_cast<std::size_t>(t) * truth.size() + g] = largest;
      truth_best[g] = std::max(truth_best[g], largest);
    }
    for (std::int64_t j = 0; j < tile.count(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const auto interval = std::upper_bound(limits.begin(), limits.end(), best[at]) - limits.begin();
      labels[begin + j] = labels_[static_cast<std::size_t>(interval)];
      assigned[begin + j] = best_index[at];
    }
  }
  if (!allow_low_quality_) return;
  // A second look, only at the tiles that hold a truth's largest IoU.
  for (std::int64_t t = 0; t < tiles; ++t) {
    const std::int64_t begin = t * kTile;
    Tile<T> tile(candidates + 4 * begin, std::min(kTile, count - begin));
    for (std::size_t g = 0; g < truth.size(); ++g) {
      if (tile_best[static_cast<std::size_t>(t) * truth.size() + g] != truth_best[g]) continue;
      tile.compute(truth[g]);
      for (std::int64_t j = 0; j < tile.count(); ++j) {
        if (tile.iou()[static_cast<std::size_t>(j)] == truth_best[g]) labels[begin + j] = 1;
      }
    }
  }
}

template void Matcher::match<float>(const float*, std::int64_t, const std::vector<Box<float>>&, std::int32_t*,
                                    std::int32_t*) const;
template void Matcher::match<double>(const double*, std::int64_t, const std::vector<Box<double>>&, std::int32_t*,
                                     std::int32_t*) const;

}  // namespace lockstep
