// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/box_match.h"

#include <algorithm>

#include "lockstep/eval/numpy_math.h"

namespace lockstep {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// bbIou of pycocotools' maskApi.c: with a crowd, the share of the detection that the crowd covers.
double box_iou(const Detection& d, const EvalAnnotation& g) {
  const double width = std::min(d.w + d.x, g.w + g.x) - std::max(d.x, g.x);
  if (width <= 0) return 0;
  const double height = std::min(d.h + d.y, g.h + g.y) - std::max(d.y, g.y);
  if (height <= 0) return 0;
  const double both = width * height;
  const double detection_area = d.w * d.h;
  return both / (g.crowd ? detection_area : detection_area + g.w * g.h - both);
}

}  // namespace

std::array<AreaRange, kEvalAreas> area_ranges(const EvalOptions& options) {
  constexpr double kLargest = 1e5 * 1e5;
  return {AreaRange{0, kLargest}, AreaRange{0, options.small_area}, AreaRange{options.small_area, options.medium_area},
          AreaRange{options.medium_area, kLargest}};
}

BoxMatcher::BoxMatcher(const EvalGroundTruth& truth, const std::vector<Detection>& detections, const EvalIndex& index,
                       const EvalOptions& options)
    : truth_(truth),
      detections_(detections),
      index_(index),
      limit_(static_cast<std::size_t>(options.max_detections.back())),
      ranges_(area_ranges(options)),
      thresholds_(numpy_linspace(0.5, 0.95, kEvalIous)) {
  for (double& threshold : thresholds_) threshold = std::min(threshold, 1 - 1e-10);
}

void BoxMatcher::match(const EvalCell& cell, MatchedCategory& category) {
  annotation_count_ = cell.annotations.second - cell.annotations.first;
  detection_count_ = std::min(cell.detections.second - cell.detections.first, limit_);
  ious_.resize(detection_count_ * annotation_count_);
  for (std::size_t d = 0; d < detection_count_; ++d) {
    for (std::size_t g = 0; g < annotation_count_; ++g) {
      ious_[d * annotation_count_ + g] = box_iou(detection(cell, d), annotation(cell, g));
    }
    MatchedDetection matched;
    matched.score = detection(cell, d).score;
    matched.rank = static_cast<int>(d);
    category.detections.push_back(matched);
  }
  for (int area = 0; area < kEvalAreas; ++area) match_area(cell, area, category);
}

void BoxMatcher::match_area(const EvalCell& cell, int area, MatchedCategory& category) {
  const AreaRange range = ranges_[static_cast<std::size_t>(area)];
  ignored_.assign(annotation_count_, 0);
  order_.clear();
  for (std::size_t g = 0; g < annotation_count_; ++g) {
    ignored_[g] = annotation(cell, g).crowd || !range.contains(annotation(cell, g).area);
    if (!ignored_[g]) order_.push_back(g);
  }
  category.ground_truths[static_cast<std::size_t>(area)] += static_cast<std::int64_t>(order_.size());
  for (std::size_t g = 0; g < annotation_count_; ++g) {
    if (ignored_[g]) order_.push_back(g);
  }
  MatchedDetection* results = category.detections.data() + (category.detections.size() - detection_count_);
  for (int t = 0; t < kEvalIous; ++t) {
    const auto bit = static_cast<std::uint16_t>(1U << t);
    taken_.assign(annotation_count_, 0);
    for (std::size_t d = 0; d < detection_count_; ++d) {
      double best = thresholds_[static_cast<std::size_t>(t)];
      std::size_t match = kNone;
      for (const std::size_t g : order_) {
        const bool crowd = annotation(cell, g).crowd;
        if (taken_[g] && !crowd) continue;
        if (match != kNone && !ignored_[match] && ignored_[g]) break;
        const double iou = ious_[d * annotation_count_ + g];
        if (iou < best) continue;  // an equal one replaces: the later annotation wins
        best = iou;
        match = g;
      }
      const auto a = static_cast<std::size_t>(area);
      // pycocotools stores the annotation's id and reads 0 as "no match".
      const bool matched = match != kNone && annotation(cell, match).id != 0;
      if (match != kNone) {
        taken_[match] = 1;
        if (ignored_[match]) results[d].ignored[a] |= bit;
      }
      if (matched) {
        results[d].matched[a] |= bit;
      } else if (const Detection& box = detection(cell, d); !range.contains(box.w * box.h)) {
        results[d].ignored[a] |= bit;
      }
    }
  }
}

}  // namespace lockstep
