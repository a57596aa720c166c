// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/matcher.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void sample_rois_cpu(KernelContext& context);
void sample_rois_reference(KernelContext& context);

OpSchema sample_rois_schema() {
  OpSchema schema("SampleRois");
  schema
      .doc(
          "Matches proposals with ground truth and draws those that the box head learns from, as Detectron2's "
          "label_and_sample_proposals. The ground-truth boxes of an image are appended to its proposals first "
          "(append_gt). Rows come image by image: objects first, then background, each in the order of the proposals. "
          "The set depends on the proposals, the ground truth, the seed, the sample id and the key alone "
          "(ops/sampling.h has the draw order). Crowd rows are no ground truth.")
      .input("rois", "[P,5], (image, x1, y1, x2, y2), images in order")
      .input("gt_boxes", "[G,4], images one after the other")
      .input("gt_classes", "i32[G], 0..num_classes-1")
      .input("gt_crowd", "i32[G], 1 for a crowd region")
      .input("gt_counts", "i32[N], rows of each image")
      .input("sample_ids", "i64[N], the number of each sample in the whole run")
      .output("sampled_rois", "[Q,5]")
      .output("labels", "i32[Q], the class; num_classes for background")
      .output("matched_gt", "[Q,4], the ground-truth box with the largest IoU; zeros in an image without any")
      .required_arg("batch_size", std::int64_t{512}, "rois per image (MODEL.ROI_HEADS.BATCH_SIZE_PER_IMAGE)")
      .range(1, 1 << 24)
      .arg("positive_fraction", 0.25, "largest share of objects (MODEL.ROI_HEADS.POSITIVE_FRACTION)")
      .range(0, 1)
      .arg("iou_thresholds", std::vector<double>{0.5}, "ascending (MODEL.ROI_HEADS.IOU_THRESHOLDS)")
      .arg("iou_labels", std::vector<std::int64_t>{0, 1}, "of the intervals between (MODEL.ROI_HEADS.IOU_LABELS)")
      .required_arg("num_classes", std::int64_t{80}, "classes without the background (MODEL.ROI_HEADS.NUM_CLASSES)")
      .range(1, 1 << 24)
      .arg("append_gt", std::int64_t{1}, "1: ground truth joins the proposals (MODEL.ROI_HEADS.PROPOSAL_APPEND_GT)")
      .range(0, 1)
      .required_arg("key", std::string("rois"), "name of the draw, the same for every replica")
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 2);
        context.require_dim(0, 1, 5, "image and box corners");
        context.require_real(1);
        context.require_rank(1, 2);
        context.require_dim(1, 1, 4, "box corners");
        for (int i = 2; i < 5; ++i) {
          context.require_dtype(i, DType::kI32);
          context.require_rank(i, 1);
          if (i < 4) context.require_dim(i, 0, context.dim(1, 0), "one per row of gt_boxes");
        }
        context.require_dtype(5, DType::kI64);
        context.require_rank(5, 1);
        context.require_dim(5, 0, context.dim(4, 0), "one per image of gt_counts");
        const Matcher checked(context.args().numbers("iou_thresholds"), context.args().integers("iou_labels"), false);
        return std::vector<TensorInfo>{{context.real(), {-1, 5}}, {DType::kI32, {-1}}, {context.real(), {-1, 4}}};
      })
      .no_gradient("proposals, labels and boxes to learn are constants of the step")
      .cpu(function_kernel(sample_rois_cpu))
      .reference(function_kernel(sample_rois_reference));
  return schema;
}

}  // namespace lockstep
