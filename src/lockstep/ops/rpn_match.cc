// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/matcher.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void rpn_match_cpu(KernelContext& context);
void rpn_match_reference(KernelContext& context);

OpSchema rpn_match_schema() {
  OpSchema schema("RpnMatch");
  schema
      .doc(
          "Labels every anchor of every image by its largest IoU with the image's ground truth (ops/matcher.h, with "
          "low-quality matches: the best anchors of each truth are objects). Crowd rows are no ground truth; an image "
          "without any has background only.")
      .input("anchors", "[R,4], of all levels, the same for every image")
      .input("gt_boxes", "[G,4], images one after the other")
      .input("gt_crowd", "i32[G], 1 for a crowd region")
      .input("gt_counts", "i32[N], rows of each image")
      .input("im_info", "[N,3], (height, width, scale) without padding")
      .output("labels", "i32[N*R]: 1 object, 0 background, -1 ignored")
      .output("matched_gt", "[N*R,4], the ground-truth box with the largest IoU; zeros in an image without any")
      .arg("iou_thresholds", std::vector<double>{0.3, 0.7}, "ascending (MODEL.RPN.IOU_THRESHOLDS)")
      .arg("iou_labels", std::vector<std::int64_t>{0, -1, 1}, "of the intervals between (MODEL.RPN.IOU_LABELS)")
      .arg("boundary_thresh", -1.0,
           "at least 0: anchors that reach further than this out of the image are ignored (MODEL.RPN.BOUNDARY_THRESH)")
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 2);
        context.require_dim(0, 1, 4, "box corners");
        context.require_real(1);
        context.require_rank(1, 2);
        context.require_dim(1, 1, 4, "box corners");
        context.require_dtype(2, DType::kI32);
        context.require_rank(2, 1);
        context.require_dim(2, 0, context.dim(1, 0), "one per row of gt_boxes");
        context.require_dtype(3, DType::kI32);
        context.require_rank(3, 1);
        context.require_real(4);
        context.require_rank(4, 2);
        context.require_dim(4, 0, context.dim(3, 0), "one row per image of gt_counts");
        context.require_dim(4, 1, 3, "height, width, scale");
        const Matcher checked(context.args().numbers("iou_thresholds"), context.args().integers("iou_labels"), true);
        const std::int64_t anchors = context.dim(0, 0);
        const std::int64_t images = context.dim(4, 0);
        const std::int64_t rows = anchors >= 0 && images >= 0 ? anchors * images : -1;
        return std::vector<TensorInfo>{{DType::kI32, {rows}}, {context.real(), {rows, 4}}};
      })
      .no_gradient("labels and boxes to learn are constants of the step")
      .cpu(function_kernel(rpn_match_cpu))
      .reference(function_kernel(rpn_match_reference));
  return schema;
}

}  // namespace lockstep
