// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/boxes.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void detect_boxes_cpu(KernelContext& context);
void detect_boxes_reference(KernelContext& context);

OpSchema detect_boxes_schema() {
  OpSchema schema("DetectBoxes");
  schema
      .doc(
          "Turns the predictions of the box head into detections, as Detectron2's fast_rcnn_inference: boxes decoded "
          "from the rois and clipped to the image, every class with a score above score_thresh a candidate, NMS within "
          "each class, then the best detections_per_image. Rows that are not finite are dropped. Ties go to the lower "
          "roi, then the lower class. Every class is suppressed on its own coordinates (ops/nms.h).")
      .input("prob", "[P,C+1], class probabilities, the background last")
      .input("deltas", "[P,4*C] per class, or [P,4] for all classes")
      .input("rois", "[P,5], (image, x1, y1, x2, y2), images in order")
      .input("im_info", "[N,3], (height, width, scale) without padding")
      .output("boxes", "[D,4], in pixels of the network's input, images in order, best score first")
      .output("scores", "[D]")
      .output("classes", "i32[D], 0..C-1")
      .output("image_index", "i32[D]")
      .arg("weights", std::vector<double>{10, 10, 5, 5}, "of the deltas (MODEL.ROI_BOX_HEAD.BBOX_REG_WEIGHTS)")
      .arg("score_thresh", 0.05, "scores must exceed this (MODEL.ROI_HEADS.SCORE_THRESH_TEST)")
      .arg("nms_thresh", 0.5, "IoU above which the worse of two boxes goes (MODEL.ROI_HEADS.NMS_THRESH_TEST)")
      .range(0, 1)
      .arg("detections_per_image", std::int64_t{100}, "most detections of an image (TEST.DETECTIONS_PER_IMAGE)")
      .range(1, 1 << 24)
      .infer([](const InferContext& context) {
        for (int i = 0; i < 4; ++i) {
          context.require_real(i);
          context.require_rank(i, 2);
        }
        const std::int64_t classes = context.dim(0, 1) - 1;
        const std::int64_t columns = context.dim(1, 1);
        LS_CHECK(kShape, context.dim(0, 1) < 0 || classes >= 1,
                 "[DetectBoxes] input 'prob' must have at least 2 columns, got {}", to_string(context.input(0)));
        LS_CHECK(kShape, columns < 0 || context.dim(0, 1) < 0 || columns == 4 || columns == 4 * classes,
                 "[DetectBoxes] input 'deltas' must have 4 or {} columns for {} classes, got {}", 4 * classes, classes,
                 to_string(context.input(1)));
        context.require_dim(1, 0, context.dim(0, 0), "one row per row of prob");
        context.require_dim(2, 0, context.dim(0, 0), "one row per row of prob");
        context.require_dim(2, 1, 5, "image and box corners");
        context.require_dim(3, 1, 3, "height, width, scale");
        check_box_weights(context.args().numbers("weights"));
        return std::vector<TensorInfo>{
            {context.real(), {-1, 4}}, {context.real(), {-1}}, {DType::kI32, {-1}}, {DType::kI32, {-1}}};
      })
      .no_gradient("detections are for evaluation only")
      .cpu(function_kernel(detect_boxes_cpu))
      .reference(function_kernel(detect_boxes_reference));
  return schema;
}

}  // namespace lockstep
