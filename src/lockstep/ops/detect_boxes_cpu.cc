// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/boxes.h"
#include "lockstep/ops/nms.h"
#include "lockstep/ops/ranking.h"
#include "lockstep/ops/roi_rows.h"

namespace lockstep {
namespace {

template <typename T>
struct Detections {
  std::vector<Box<T>> boxes;
  std::vector<T> scores;
  std::vector<std::int32_t> classes;

  void add(const Box<T>& box, T score, std::int32_t category) {
    boxes.push_back(box);
    scores.push_back(score);
    classes.push_back(category);
  }
};

// Appends every class of one roi whose score is above the threshold; nothing when any value is not finite.
template <typename T>
void add_roi(const T* prob, std::int64_t classes, const T* deltas, std::int64_t boxes_per_roi, const Box<T>& roi,
             const T* im_info, const BoxWeights<T>& weights, T score_thresh, Detections<T>& candidates) {
  std::vector<Box<T>> decoded;
  for (std::int64_t b = 0; b < boxes_per_roi; ++b) {
    decoded.push_back(decode_box(roi, deltas + 4 * b, weights));
    if (!is_finite(decoded.back())) return;
  }
  for (std::int64_t c = 0; c <= classes; ++c) {
    if (!std::isfinite(prob[c])) return;
  }
  for (std::int64_t c = 0; c < classes; ++c) {
    if (!(prob[c] > score_thresh)) continue;
    const Box<T>& box = decoded[static_cast<std::size_t>(boxes_per_roi == 1 ? 0 : c)];
    candidates.add(clip_box(box, im_info[0], im_info[1]), prob[c], static_cast<std::int32_t>(c));
  }
}

// The candidates of an image that NMS keeps, best first.
template <typename T>
Detections<T> best_detections(const Detections<T>& candidates, double nms_thresh, std::int64_t limit) {
  Detections<T> ordered;
  const auto count = static_cast<std::int64_t>(candidates.scores.size());
  for (const std::int32_t i : top_k(candidates.scores.data(), count, count)) {
    const auto at = static_cast<std::size_t>(i);
    ordered.add(candidates.boxes[at], candidates.scores[at], candidates.classes[at]);
  }
  Detections<T> best;
  for (const std::int32_t i :
       grouped_nms(ordered.boxes, ordered.classes, nms_thresh, static_cast<std::size_t>(limit))) {
    const auto at = static_cast<std::size_t>(i);
    best.add(ordered.boxes[at], ordered.scores[at], ordered.classes[at]);
  }
  return best;
}

template <typename T>
void detect_boxes(KernelContext& context) {
  const OpArgs& args = context.args();
  const Tensor& prob = context.input(0);
  const Tensor& deltas = context.input(1);
  const std::int64_t classes = prob.dim(1) - 1;
  const std::int64_t columns = deltas.dim(1);
  const BoxWeights<T> weights = box_weights<T>(args.numbers("weights"));
  const std::int64_t images = context.input(3).dim(0);
  const auto begins = roi_begins(context.input(2), images);
  Detections<T> all;
  std::vector<std::int32_t> image_index;
  for (std::int64_t n = 0; n < images; ++n) {
    Detections<T> candidates;
    for (std::int64_t p = begins[static_cast<std::size_t>(n)]; p < begins[static_cast<std::size_t>(n) + 1]; ++p) {
      add_roi(prob.data<T>() + p * prob.dim(1), classes, deltas.data<T>() + p * columns, columns / 4,
              load_box(context.input(2).data<T>() + 5 * p + 1), context.input(3).data<T>() + 3 * n, weights,
              static_cast<T>(args.number("score_thresh")), candidates);
    }
    const Detections<T> best =
        best_detections(candidates, args.number("nms_thresh"), args.integer("detections_per_image"));
    for (std::size_t i = 0; i < best.scores.size(); ++i) all.add(best.boxes[i], best.scores[i], best.classes[i]);
    image_index.resize(all.scores.size(), static_cast<std::int32_t>(n));
  }
  const auto rows = static_cast<std::int64_t>(all.scores.size());
  context.output(0).resize(DTypeOf<T>::value, {rows, 4});
  context.output(1).resize(DTypeOf<T>::value, {rows});
  context.output(2).resize(DType::kI32, {rows});
  context.output(3).resize(DType::kI32, {rows});
  for (std::size_t i = 0; i < all.boxes.size(); ++i) store_box(all.boxes[i], context.output(0).data<T>() + 4 * i);
  std::copy(all.scores.begin(), all.scores.end(), context.output(1).data<T>());
  std::copy(all.classes.begin(), all.classes.end(), context.output(2).data<std::int32_t>());
  std::copy(image_index.begin(), image_index.end(), context.output(3).data<std::int32_t>());
}

}  // namespace

void detect_boxes_cpu(KernelContext& context) { detect_boxes<float>(context); }
void detect_boxes_reference(KernelContext& context) { detect_boxes<double>(context); }

}  // namespace lockstep
