// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

// One detected box in the terms of COCO's results format.
struct Detection {
  std::int64_t image_id = 0;
  std::int64_t category_id = 0;
  double x = 0;  // left edge, pixels of the original image
  double y = 0;  // top edge
  double w = 0;
  double h = 0;
  double score = 0;
};

struct EvalCategory {
  std::int64_t id = 0;
  std::string name;
};

struct EvalAnnotation {
  std::int64_t id = 0;  // unique; pycocotools takes a match with id 0 for no match, and so do we
  std::int64_t image_id = 0;
  std::int64_t category_id = 0;
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;
  double area = 0;     // the annotation's own field (a mask's area, often), not w * h
  bool crowd = false;  // iscrowd: never counted as missed, may be matched many times
};

// What boxes are compared with. An annotation's `ignore` field has no effect: pycocotools overwrites it by iscrowd.
struct EvalGroundTruth {
  std::vector<std::int64_t> image_ids;  // every image of the split, those without annotations too
  std::vector<EvalCategory> categories;
  std::vector<EvalAnnotation> annotations;
};

// pycocotools' defaults. Unlike there, all lines but AR's first two use the last limit, whatever it is.
struct EvalOptions {
  std::array<int, 3> max_detections = {1, 10, 100};  // per image and category, ascending
  double small_area = 32.0 * 32.0;                   // areas up to this are small,
  double medium_area = 96.0 * 96.0;                  // from there up to this medium; limits belong to both sides
};

// -1 stands for "undefined, there is no ground truth", as in pycocotools.
struct CategoryStats {
  std::int64_t id = 0;
  std::string name;
  double ap = -1;                  // mean over IoU 0.50:0.95
  double ap50 = -1;                // IoU 0.50
  std::int64_t ground_truths = 0;  // without crowds
  std::int64_t crowds = 0;
  std::int64_t detections = 0;
};

struct CocoStats {
  // AP, AP50, AP75, APs, APm, APl, AR1, AR10, AR100, ARs, ARm, ARl in 0..1.
  std::array<double, 12> values = {};
  std::vector<CategoryStats> categories;  // by ascending id
  std::int64_t images = 0;
  std::int64_t ground_truths = 0;  // without crowds
  std::int64_t detections = 0;
  std::int64_t images_over_limit = 0;  // with more boxes of one category than the last limit: recall 1 is out of reach
  EvalOptions options;

  double ap() const { return values[0]; }
  double ap50() const { return values[1]; }
};

// Box AP as pycocotools computes it (COCOeval with iouType 'bbox'): the same matching, the same order of ties, the
// same thresholds and sums, so the same doubles. Without detections AP is 0. Throws kData, naming the record, for an
// unknown image or category id, an annotation id given twice, and values that are not finite.
CocoStats evaluate_boxes(const EvalGroundTruth& truth, const std::vector<Detection>& detections,
                         const EvalOptions& options = {});

}  // namespace lockstep
