// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/ground_truth.h"
#include "lockstep/ops/matcher.h"

namespace lockstep {
namespace {

// Anchors that reach more than `threshold` pixels out of the image are not learnt from.
template <typename T>
void ignore_outside(const T* anchors, std::int64_t count, const T* im_info, T threshold, std::int32_t* labels) {
  for (std::int64_t r = 0; r < count; ++r) {
    const Box<T> box = load_box(anchors + 4 * r);
    const bool inside = box.x1 >= -threshold && box.y1 >= -threshold && box.x2 < im_info[1] + threshold &&
                        box.y2 < im_info[0] + threshold;
    if (!inside) labels[r] = -1;
  }
}

template <typename T>
void rpn_match(KernelContext& context) {
  const OpArgs& args = context.args();
  const Matcher matcher(args.numbers("iou_thresholds"), args.integers("iou_labels"), true);
  const double boundary = args.number("boundary_thresh");
  const T* anchors = context.input(0).data<T>();
  const std::int64_t count = context.input(0).dim(0);
  const auto truths = truth_rows(context.input(2), context.input(3));
  const T* im_info = context.input(4).data<T>();
  std::int32_t* labels = context.output(0).data<std::int32_t>();
  T* matched = context.output(1).data<T>();
  std::vector<std::int32_t> assigned(static_cast<std::size_t>(count));
  for (const std::vector<std::int32_t>& rows : truths) {
    std::vector<Box<T>> boxes = gather_boxes<T>(context.input(1), rows);
    matcher.match(anchors, count, boxes, labels, assigned.data());
    if (boundary >= 0) ignore_outside(anchors, count, im_info, static_cast<T>(boundary), labels);
    if (boxes.empty()) boxes.push_back({});
    for (std::int64_t r = 0; r < count; ++r) {
      store_box(boxes[static_cast<std::size_t>(assigned[static_cast<std::size_t>(r)])], matched + 4 * r);
    }
    labels += count;
    matched += 4 * count;
    im_info += 3;
  }
}

}  // namespace

void rpn_match_cpu(KernelContext& context) { rpn_match<float>(context); }
void rpn_match_reference(KernelContext& context) { rpn_match<double>(context); }

}  // namespace lockstep
