// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/eval_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

std::size_t place_of(const std::vector<std::int64_t>& sorted, std::int64_t id) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), id);
  return found != sorted.end() && *found == id ? static_cast<std::size_t>(found - sorted.begin()) : kNowhere;
}

template <typename Box>
bool is_finite(const Box& box) {
  return std::isfinite(box.x) && std::isfinite(box.y) && std::isfinite(box.w) && std::isfinite(box.h);
}

std::string list_ids(const std::vector<std::int64_t>& ids) {
  std::string text;
  for (std::size_t i = 0; i < ids.size() && i < 10; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", ids[i]);
  return ids.size() > 10 ? text + ", ..." : text;
}

void check_annotation_ids(const EvalGroundTruth& truth) {
  std::vector<std::int64_t> ids;
  ids.reserve(truth.annotations.size());
  for (const EvalAnnotation& annotation : truth.annotations) ids.push_back(annotation.id);
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  LS_CHECK(kData, twice == ids.end(), "ground truth: annotation id {} occurs twice; number the annotations anew",
           *twice);
}

// Key of a cell: category position, then image position; sorts as EvalIndex::cells does.
struct Keyed {
  std::size_t cell;
  std::size_t position;
};

}  // namespace

EvalIndex index_for_eval(const EvalGroundTruth& truth, const std::vector<Detection>& detections) {
  EvalIndex index;
  index.categories = truth.categories;
  std::sort(index.categories.begin(), index.categories.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::vector<std::int64_t> category_ids;
  for (const EvalCategory& category : index.categories) category_ids.push_back(category.id);
  const auto twice = std::adjacent_find(category_ids.begin(), category_ids.end());
  LS_CHECK(kData, twice == category_ids.end(), "ground truth: category id {} occurs twice", *twice);
  index.image_ids = truth.image_ids;
  std::sort(index.image_ids.begin(), index.image_ids.end());
  index.image_ids.erase(std::unique(index.image_ids.begin(), index.image_ids.end()), index.image_ids.end());
  check_annotation_ids(truth);

  const auto cell_of = [&](std::int64_t category_id, std::int64_t image_id, const auto& who) {
    const std::size_t image = place_of(index.image_ids, image_id);
    LS_CHECK(kData, image != kNowhere, "{} has image id {}, which is not among the {} images of the ground truth",
             who(), image_id, index.image_ids.size());
    const std::size_t category = place_of(category_ids, category_id);
    LS_CHECK(kData, category != kNowhere,
             "{} has category id {}, which is not among the categories of the ground truth (ids {}); do results and "
             "ground truth belong together?",
             who(), category_id, list_ids(category_ids));
    return category * index.image_ids.size() + image;
  };

  std::vector<Keyed> annotation_keys;
  annotation_keys.reserve(truth.annotations.size());
  for (std::size_t i = 0; i < truth.annotations.size(); ++i) {
    const EvalAnnotation& annotation = truth.annotations[i];
    const auto who = [&] { return fmt::format("ground truth: annotation {}", annotation.id); };
    LS_CHECK(kData, is_finite(annotation) && std::isfinite(annotation.area), "{} has a box or area that is not finite",
             who());
    annotation_keys.push_back({cell_of(annotation.category_id, annotation.image_id, who), i});
  }
  std::vector<Keyed> detection_keys;
  detection_keys.reserve(detections.size());
  for (std::size_t i = 0; i < detections.size(); ++i) {
    const Detection& detection = detections[i];
    const auto who = [&] { return fmt::format("results: record {} (counted from 0)", i); };
    LS_CHECK(kData, is_finite(detection) && std::isfinite(detection.score), "{} has a box or score that is not finite",
             who());
    detection_keys.push_back({cell_of(detection.category_id, detection.image_id, who), i});
  }
  std::stable_sort(annotation_keys.begin(), annotation_keys.end(),
                   [](const Keyed& a, const Keyed& b) { return a.cell < b.cell; });
  std::stable_sort(detection_keys.begin(), detection_keys.end(), [&](const Keyed& a, const Keyed& b) {
    if (a.cell != b.cell) return a.cell < b.cell;
    return detections[a.position].score > detections[b.position].score;
  });

  std::size_t a = 0;
  std::size_t d = 0;
  while (a < annotation_keys.size() || d < detection_keys.size()) {
    const std::size_t cell = std::min(a < annotation_keys.size() ? annotation_keys[a].cell : kNowhere,
                                      d < detection_keys.size() ? detection_keys[d].cell : kNowhere);
    EvalCell next;
    next.category = cell / index.image_ids.size();
    next.annotations.first = a;
    while (a < annotation_keys.size() && annotation_keys[a].cell == cell) {
      index.annotations.push_back(annotation_keys[a++].position);
    }
    next.annotations.second = a;
    next.detections.first = d;
    while (d < detection_keys.size() && detection_keys[d].cell == cell) {
      index.detections.push_back(detection_keys[d++].position);
    }
    next.detections.second = d;
    index.cells.push_back(next);
  }
  return index;
}

}  // namespace lockstep
