// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/boxes.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void generate_proposals_cpu(KernelContext& context);
void generate_proposals_reference(KernelContext& context);

OpSchema generate_proposals_schema() {
  OpSchema schema("GenerateProposals");
  schema
      .doc(
          "Turns the predictions of the RPN into proposals, as Detectron2's find_top_rpn_proposals: per level the "
          "best pre_nms_topk anchors by score, decoded and clipped to the image, those kept whose width and height "
          "exceed min_size, NMS within each level, then the best post_nms_topk of the image over all levels. Ties go "
          "to "
          "the lower anchor. Rows that are not finite are dropped; a diverged training is the loss check's business. "
          "Every level is suppressed on its own coordinates (ops/nms.h), not shifted apart.")
      .input("logits", "[N*R,1], objectness, rows ordered image, level, anchor")
      .input("deltas", "[N*R,4], box regression values")
      .input("im_info", "[N,3], (height, width, scale) without padding")
      .input("anchors", "[R_l,4] per level; R is their sum")
      .variadic_inputs(4)
      .output("rois", "[P,5], (image, x1, y1, x2, y2), images in order, best score first")
      .output("scores", "[P], the logits of these rows")
      .required_arg("pre_nms_topk", std::int64_t{2000}, "anchors per level before NMS (MODEL.RPN.PRE_NMS_TOPK_*)")
      .range(1, 1 << 24)
      .required_arg("post_nms_topk", std::int64_t{1000}, "proposals per image (MODEL.RPN.POST_NMS_TOPK_*)")
      .range(1, 1 << 24)
      .arg("nms_thresh", 0.7, "IoU above which the worse of two proposals goes (MODEL.RPN.NMS_THRESH)")
      .range(0, 1)
      .arg("min_size", 0.0, "smallest width and height, exclusive, in pixels (MODEL.PROPOSAL_GENERATOR.MIN_SIZE)")
      .range(0, 1e6)
      .arg("weights", std::vector<double>{1, 1, 1, 1}, "of the deltas (MODEL.RPN.BBOX_REG_WEIGHTS)")
      .infer([](const InferContext& context) {
        std::int64_t anchors = 0;
        for (int i = 0; i < context.input_count(); ++i) {
          context.require_real(i);
          context.require_rank(i, 2);
          if (i < 3) continue;
          context.require_dim(i, 1, 4, "box corners");
          anchors = anchors < 0 || context.dim(i, 0) < 0 ? -1 : anchors + context.dim(i, 0);
        }
        const std::int64_t images = context.dim(2, 0);
        const std::int64_t rows = anchors >= 0 && images >= 0 ? anchors * images : -1;
        if (rows >= 0) {
          context.require_dim(0, 0, rows, "images times anchors");
          context.require_dim(1, 0, rows, "images times anchors");
        }
        context.require_dim(0, 1, 1, "one logit per anchor");
        context.require_dim(1, 1, 4, "four deltas per anchor");
        context.require_dim(2, 1, 3, "height, width, scale");
        check_box_weights(context.args().numbers("weights"));
        return std::vector<TensorInfo>{{context.real(), {-1, 5}}, {context.real(), {-1}}};
      })
      .no_gradient("proposals are constants of the step: Detectron2 detaches them")
      .cpu(function_kernel(generate_proposals_cpu))
      .reference(function_kernel(generate_proposals_reference));
  return schema;
}

}  // namespace lockstep
