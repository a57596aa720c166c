// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lockstep/eval/coco_eval.h"
#include "lockstep/eval/eval_index.h"

namespace lockstep {

inline constexpr int kEvalAreas = 4;   // all, small, medium, large
inline constexpr int kEvalIous = 10;   // 0.50:0.95
inline constexpr int kEvalLimits = 3;  // EvalOptions::max_detections

struct AreaRange {
  double low = 0;
  double high = 0;
  bool contains(double area) const { return !(area < low || area > high); }  // both ends belong to it
};
std::array<AreaRange, kEvalAreas> area_ranges(const EvalOptions& options);

// A detection after matching. Bit t of a mask belongs to IoU threshold t.
struct MatchedDetection {
  double score = 0;
  int rank = 0;  // by score within its image and category, from 0
  std::array<std::uint16_t, kEvalAreas> matched{};
  std::array<std::uint16_t, kEvalAreas> ignored{};
};

// One category over all images, detections in image order.
struct MatchedCategory {
  std::vector<MatchedDetection> detections;
  std::array<std::int64_t, kEvalAreas> ground_truths{};  // those that count
};

// Matches detections to ground truth greedily by score, as COCOeval.evaluateImg does, and adds the cell to `category`.
class BoxMatcher {
 public:
  BoxMatcher(const EvalGroundTruth& truth, const std::vector<Detection>& detections, const EvalIndex& index,
             const EvalOptions& options);
  void match(const EvalCell& cell, MatchedCategory& category);

 private:
  void match_area(const EvalCell& cell, int area, MatchedCategory& category);
  const EvalAnnotation& annotation(const EvalCell& cell, std::size_t i) const {
    return truth_.annotations[index_.annotations[cell.annotations.first + i]];
  }
  const Detection& detection(const EvalCell& cell, std::size_t i) const {
    return detections_[index_.detections[cell.detections.first + i]];
  }

  const EvalGroundTruth& truth_;
  const std::vector<Detection>& detections_;
  const EvalIndex& index_;
  std::size_t limit_;
  std::array<AreaRange, kEvalAreas> ranges_;
  std::vector<double> thresholds_;
  // Scratch of one cell: sizes, IoU by detection and annotation, annotations with the counted ones first.
  std::size_t detection_count_ = 0;
  std::size_t annotation_count_ = 0;
  std::vector<double> ious_;
  std::vector<std::size_t> order_;
  std::vector<char> ignored_;
  std::vector<char> taken_;
};

}  // namespace lockstep
