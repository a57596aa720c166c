// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/boxes.h"
#include "lockstep/ops/nms.h"
#include "lockstep/ops/ranking.h"

namespace lockstep {
namespace {

template <typename T>
struct Proposals {
  std::vector<Box<T>> boxes;
  std::vector<T> scores;
};

template <typename T>
struct ProposalSettings {
  std::int64_t pre_nms_topk;
  std::int64_t post_nms_topk;
  double nms_thresh;
  T min_size;
  BoxWeights<T> weights;
};

// Appends the proposals of one level of one image, best first. No level can give an image more than post_nms_topk.
template <typename T>
void add_level(const T* logits, const T* deltas, const Tensor& anchors, const T* im_info,
               const ProposalSettings<T>& settings, Proposals<T>& proposals) {
  Proposals<T> candidates;
  for (const std::int32_t r : top_k(logits, anchors.dim(0), settings.pre_nms_topk)) {
    const Box<T> decoded = decode_box(load_box(anchors.data<T>() + 4 * r), deltas + 4 * r, settings.weights);
    if (!is_finite(decoded) || !std::isfinite(logits[r])) continue;
    const Box<T> box = clip_box(decoded, im_info[0], im_info[1]);
    if (!(box.width() > settings.min_size && box.height() > settings.min_size)) continue;
    candidates.boxes.push_back(box);
    candidates.scores.push_back(logits[r]);
  }
  for (const std::int32_t i :
       nms(candidates.boxes, settings.nms_thresh, static_cast<std::size_t>(settings.post_nms_topk))) {
    proposals.boxes.push_back(candidates.boxes[static_cast<std::size_t>(i)]);
    proposals.scores.push_back(candidates.scores[static_cast<std::size_t>(i)]);
  }
}

template <typename T>
void generate_proposals(KernelContext& context) {
  const OpArgs& args = context.args();
  const ProposalSettings<T> settings{args.integer("pre_nms_topk"), args.integer("post_nms_topk"),
                                     args.number("nms_thresh"), static_cast<T>(args.number("min_size")),
                                     box_weights<T>(args.numbers("weights"))};
  const T* logits = context.input(0).data<T>();
  const T* deltas = context.input(1).data<T>();
  std::vector<T> rois;
  std::vector<T> scores;
  for (std::int64_t n = 0; n < context.input(2).dim(0); ++n) {
    Proposals<T> proposals;
    for (int level = 3; level < context.input_count(); ++level) {
      const Tensor& anchors = context.input(level);
      add_level(logits, deltas, anchors, context.input(2).data<T>() + 3 * n, settings, proposals);
      logits += anchors.dim(0);
      deltas += 4 * anchors.dim(0);
    }
    const auto count = static_cast<std::int64_t>(proposals.scores.size());
    for (const std::int32_t i : top_k(proposals.scores.data(), count, settings.post_nms_topk)) {
      const Box<T>& box = proposals.boxes[static_cast<std::size_t>(i)];
      rois.insert(rois.end(), {static_cast<T>(n), box.x1, box.y1, box.x2, box.y2});
      scores.push_back(proposals.scores[static_cast<std::size_t>(i)]);
    }
  }
  const auto rows = static_cast<std::int64_t>(scores.size());
  context.output(0).resize(DTypeOf<T>::value, {rows, 5});
  context.output(1).resize(DTypeOf<T>::value, {rows});
  std::copy(rois.begin(), rois.end(), context.output(0).data<T>());
  std::copy(scores.begin(), scores.end(), context.output(1).data<T>());
}

}  // namespace

void generate_proposals_cpu(KernelContext& context) { generate_proposals<float>(context); }
void generate_proposals_reference(KernelContext& context) { generate_proposals<double>(context); }

}  // namespace lockstep
