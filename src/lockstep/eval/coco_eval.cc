// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/coco_eval.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "lockstep/base/check.h"
#include "lockstep/eval/box_match.h"
#include "lockstep/eval/eval_index.h"
#include "lockstep/eval/numpy_math.h"

namespace lockstep {
namespace {

constexpr int kRecalls = 101;  // 0:0.01:1

// Precision at each recall point and recall, by area, IoU and category; -1 where there is no ground truth.
class Curves {
 public:
  explicit Curves(std::size_t categories)
      : categories_(categories),
        precision_(kEvalAreas * kEvalIous * kRecalls * categories, -1),
        recall_(kEvalLimits * kEvalAreas * kEvalIous * categories, -1) {}

  double& precision(int area, int iou, int point, std::size_t k) {
    return precision_[precision_row(area, iou) * kRecalls * categories_ +
                      static_cast<std::size_t>(point) * categories_ + k];
  }
  double& recall(int limit, int area, int iou, std::size_t k) {
    return recall_[(recall_row(limit, area) + static_cast<std::size_t>(iou)) * categories_ + k];
  }

  // Means in numpy's order: IoU, recall point, category.
  double average_precision(int area, int first_iou, int last_iou) const {
    const std::size_t row = kRecalls * categories_;
    return mean(precision_, precision_row(area, first_iou) * row, (precision_row(area, last_iou) + 1) * row);
  }
  double average_recall(int limit, int area) const {
    return mean(recall_, recall_row(limit, area) * categories_, (recall_row(limit, area) + kEvalIous) * categories_);
  }
  double category_precision(std::size_t k, int last_iou) {
    std::vector<double> defined;
    for (int t = 0; t <= last_iou; ++t) {
      for (int r = 0; r < kRecalls; ++r) {
        if (const double value = precision(0, t, r, k); value > -1) defined.push_back(value);
      }
    }
    return numpy_mean(defined);
  }

 private:
  static std::size_t precision_row(int area, int iou) { return static_cast<std::size_t>(area * kEvalIous + iou); }
  static std::size_t recall_row(int limit, int area) {
    return static_cast<std::size_t>((limit * kEvalAreas + area) * kEvalIous);
  }
  static double mean(const std::vector<double>& values, std::size_t begin, std::size_t end) {
    std::vector<double> defined;
    std::copy_if(values.data() + begin, values.data() + end, std::back_inserter(defined),
                 [](double value) { return value > -1; });
    return numpy_mean(defined);
  }

  std::size_t categories_;
  std::vector<double> precision_;
  std::vector<double> recall_;
};

// COCOeval.accumulate for one category. Scratch is kept between categories.
class Accumulator {
 public:
  Accumulator() : points_(numpy_linspace(0, 1, kRecalls)) {}

  void add(MatchedCategory& category, const EvalOptions& options, std::size_t k, Curves& curves) {
    std::stable_sort(category.detections.begin(), category.detections.end(),
                     [](const MatchedDetection& a, const MatchedDetection& b) { return a.score > b.score; });
    for (int area = 0; area < kEvalAreas; ++area) {
      if (category.ground_truths[static_cast<std::size_t>(area)] == 0) continue;
      for (int limit = 0; limit < kEvalLimits; ++limit) {
        const bool last = limit == kEvalLimits - 1;
        if (!last && area != 0) continue;  // no summary line reads them
        for (int iou = 0; iou < kEvalIous; ++iou) {
          fill(category, area, iou, options.max_detections[static_cast<std::size_t>(limit)]);
          curves.recall(limit, area, iou, k) = recall_.empty() ? 0 : recall_.back();
          if (last) sample(area, iou, k, curves);
        }
      }
    }
  }

 private:
  // Running recall and precision over the detections that count at this area, IoU and limit.
  void fill(const MatchedCategory& category, int area, int iou, int limit) {
    recall_.clear();
    precision_.clear();
    const auto a = static_cast<std::size_t>(area);
    const auto bit = static_cast<std::uint16_t>(1U << iou);
    const auto truths = static_cast<double>(category.ground_truths[a]);
    double hits = 0;
    double misses = 0;
    for (const MatchedDetection& detection : category.detections) {
      if (detection.rank >= limit) continue;
      if ((detection.ignored[a] & bit) == 0) ((detection.matched[a] & bit) != 0 ? hits : misses) += 1;
      recall_.push_back(hits / truths);
      precision_.push_back(hits / (misses + hits + std::numeric_limits<double>::epsilon()));
    }
  }

  // The monotone envelope of precision at the recall points; 0 beyond the recall reached.
  void sample(int area, int iou, std::size_t k, Curves& curves) {
    for (std::size_t i = precision_.size(); i > 1; --i) {
      if (precision_[i - 1] > precision_[i - 2]) precision_[i - 2] = precision_[i - 1];
    }
    std::size_t at = 0;
    for (int r = 0; r < kRecalls; ++r) {
      while (at < recall_.size() && recall_[at] < points_[static_cast<std::size_t>(r)]) ++at;
      curves.precision(area, iou, r, k) = at < precision_.size() ? precision_[at] : 0;
    }
  }

  std::vector<double> points_;
  std::vector<double> recall_;
  std::vector<double> precision_;
};

void count(const EvalGroundTruth& truth, const EvalIndex& index, CocoStats& stats) {
  std::vector<std::int64_t> over;
  const auto limit = static_cast<std::int64_t>(stats.options.max_detections.back());
  for (const EvalCell& cell : index.cells) {
    CategoryStats& category = stats.categories[cell.category];
    category.detections += static_cast<std::int64_t>(cell.detections.second - cell.detections.first);
    std::int64_t truths = 0;
    for (std::size_t i = cell.annotations.first; i < cell.annotations.second; ++i) {
      const EvalAnnotation& annotation = truth.annotations[index.annotations[i]];
      ++(annotation.crowd ? category.crowds : truths);
      if (truths == limit + 1) over.push_back(annotation.image_id);
    }
    category.ground_truths += truths;
  }
  std::sort(over.begin(), over.end());
  stats.images_over_limit = std::unique(over.begin(), over.end()) - over.begin();
  for (const CategoryStats& category : stats.categories) {
    stats.ground_truths += category.ground_truths;
    stats.detections += category.detections;
  }
}

}  // namespace

CocoStats evaluate_boxes(const EvalGroundTruth& truth, const std::vector<Detection>& detections,
                         const EvalOptions& options) {
  const auto& limits = options.max_detections;
  LS_CHECK(kConfig, limits[0] > 0 && limits[0] <= limits[1] && limits[1] <= limits[2],
           "evaluation limits are {}, {} and {} detections per image; wanted are three ascending numbers from 1",
           limits[0], limits[1], limits[2]);
  LS_CHECK(kConfig, options.small_area >= 0 && options.small_area <= options.medium_area,
           "evaluation areas are small up to {} and medium up to {}; wanted is 0 <= small <= medium",
           options.small_area, options.medium_area);
  const EvalIndex index = index_for_eval(truth, detections);
  CocoStats stats;
  stats.options = options;
  stats.images = static_cast<std::int64_t>(index.image_ids.size());
  for (const EvalCategory& category : index.categories) {
    CategoryStats& entry = stats.categories.emplace_back();
    entry.id = category.id;
    entry.name = category.name;
  }
  count(truth, index, stats);

  Curves curves(index.categories.size());
  BoxMatcher matcher(truth, detections, index, options);
  Accumulator accumulator;
  MatchedCategory category;
  for (std::size_t c = 0; c < index.cells.size(); ++c) {
    const std::size_t k = index.cells[c].category;
    matcher.match(index.cells[c], category);
    if (c + 1 < index.cells.size() && index.cells[c + 1].category == k) continue;
    accumulator.add(category, options, k, curves);
    category.detections.clear();
    category.ground_truths = {};
  }

  constexpr int kLast = kEvalLimits - 1;
  constexpr int kIou75 = 5;
  stats.values = {curves.average_precision(0, 0, kEvalIous - 1),
                  curves.average_precision(0, 0, 0),
                  curves.average_precision(0, kIou75, kIou75),
                  curves.average_precision(1, 0, kEvalIous - 1),
                  curves.average_precision(2, 0, kEvalIous - 1),
                  curves.average_precision(3, 0, kEvalIous - 1),
                  curves.average_recall(0, 0),
                  curves.average_recall(1, 0),
                  curves.average_recall(kLast, 0),
                  curves.average_recall(kLast, 1),
                  curves.average_recall(kLast, 2),
                  curves.average_recall(kLast, 3)};
  for (std::size_t k = 0; k < stats.categories.size(); ++k) {
    stats.categories[k].ap = curves.category_precision(k, kEvalIous - 1);
    stats.categories[k].ap50 = curves.category_precision(k, 0);
  }
  return stats;
}

}  // namespace lockstep
