// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/ground_truth.h"
#include "lockstep/ops/matcher.h"
#include "lockstep/ops/roi_rows.h"
#include "lockstep/ops/sampling.h"

namespace lockstep {
namespace {

template <typename T>
struct SampledRois {
  std::vector<T> rois;
  std::vector<std::int32_t> labels;
  std::vector<T> matched;
};

// The class of every candidate: of its truth, `background`, or -1 for an ignored one.
std::vector<std::int32_t> candidate_classes(const std::vector<std::int32_t>& labels,
                                            const std::vector<std::int32_t>& assigned,
                                            const std::vector<std::int32_t>& truth_classes, std::int32_t background) {
  std::vector<std::int32_t> classes(labels.size(), background);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == -1) classes[i] = -1;
    if (labels[i] == 1 && !truth_classes.empty()) classes[i] = truth_classes[static_cast<std::size_t>(assigned[i])];
  }
  // Without truth there is nothing to ignore either.
  if (truth_classes.empty()) std::fill(classes.begin(), classes.end(), background);
  return classes;
}

template <typename T>
void sample_rois(KernelContext& context) {
  const OpArgs& args = context.args();
  const Matcher matcher(args.numbers("iou_thresholds"), args.integers("iou_labels"), false);
  const auto background = static_cast<std::int32_t>(args.integer("num_classes"));
  const std::uint32_t key = philox_key(args.text("key"));
  const std::int32_t* gt_classes = context.input(2).data<std::int32_t>();
  for (std::int64_t g = 0; g < context.input(2).size(); ++g) {
    LS_CHECK(kData, gt_classes[g] >= 0 && gt_classes[g] < background,
             "gt_classes[{}] is {}; wanted 0..{} (num_classes = {})", g, gt_classes[g], background - 1, background);
  }
  const auto truths = truth_rows(context.input(3), context.input(4));
  const auto begins = roi_begins(context.input(0), static_cast<std::int64_t>(truths.size()));
  const T* rois = context.input(0).data<T>();
  SampledRois<T> sampled;
  for (std::size_t n = 0; n < truths.size(); ++n) {
    std::vector<Box<T>> boxes = gather_boxes<T>(context.input(1), truths[n]);
    std::vector<std::int32_t> truth_classes;
    for (const std::int32_t row : truths[n]) truth_classes.push_back(gt_classes[row]);
    std::vector<T> candidates;
    for (std::int64_t p = begins[n]; p < begins[n + 1]; ++p) {
      candidates.insert(candidates.end(), rois + 5 * p + 1, rois + 5 * p + 5);
    }
    if (args.flag("append_gt")) {
      for (const Box<T>& box : boxes) candidates.insert(candidates.end(), {box.x1, box.y1, box.x2, box.y2});
    }
    const std::size_t count = candidates.size() / 4;
    std::vector<std::int32_t> labels(count);
    std::vector<std::int32_t> assigned(count);
    matcher.match(candidates.data(), static_cast<std::int64_t>(count), boxes, labels.data(), assigned.data());
    const std::vector<std::int32_t> classes = candidate_classes(labels, assigned, truth_classes, background);
    PhiloxStream stream(context.seed(), static_cast<std::uint64_t>(context.input(5).data<std::int64_t>()[n]), key);
    const LabelSample sample = sample_labels(classes.data(), static_cast<std::int64_t>(count), background,
                                             args.integer("batch_size"), args.number("positive_fraction"), stream);
    if (boxes.empty()) boxes.push_back({});
    for (const std::vector<std::int32_t>* rows : {&sample.objects, &sample.background}) {
      for (const std::int32_t row : *rows) {
        const T* box = candidates.data() + 4 * row;
        const Box<T>& truth = boxes[static_cast<std::size_t>(assigned[static_cast<std::size_t>(row)])];
        sampled.rois.insert(sampled.rois.end(), {static_cast<T>(n), box[0], box[1], box[2], box[3]});
        sampled.labels.push_back(classes[static_cast<std::size_t>(row)]);
        sampled.matched.insert(sampled.matched.end(), {truth.x1, truth.y1, truth.x2, truth.y2});
      }
    }
  }
  const auto rows = static_cast<std::int64_t>(sampled.labels.size());
  context.output(0).resize(DTypeOf<T>::value, {rows, 5});
  context.output(1).resize(DType::kI32, {rows});
  context.output(2).resize(DTypeOf<T>::value, {rows, 4});
  std::copy(sampled.rois.begin(), sampled.rois.end(), context.output(0).data<T>());
  std::copy(sampled.labels.begin(), sampled.labels.end(), context.output(1).data<std::int32_t>());
  std::copy(sampled.matched.begin(), sampled.matched.end(), context.output(2).data<T>());
}

}  // namespace

void sample_rois_cpu(KernelContext& context) { sample_rois<float>(context); }
void sample_rois_reference(KernelContext& context) { sample_rois<double>(context); }

}  // namespace lockstep
