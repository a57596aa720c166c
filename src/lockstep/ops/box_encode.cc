// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lockstep/base/check.h"
#include "lockstep/ops/boxes.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void box_encode_cpu(KernelContext& context);
void box_encode_reference(KernelContext& context);

OpSchema box_encode_schema() {
  OpSchema schema("BoxEncode");
  schema
      .doc(
          "The regression targets that turn boxes into their ground truth (encode_box in ops/boxes.h, Detectron2's "
          "Box2BoxTransform.get_deltas). Rows whose box or truth has no area give zeros, never NaN.")
      .input("boxes", "[R,4] boxes, or [R,5] rois with the image first")
      .input("gt", "[M*R,4], the ground truth of each box; the boxes repeat M times, once per image")
      .output("deltas", "[M*R,4]")
      .arg("weights", std::vector<double>{1, 1, 1, 1}, "of the deltas (BBOX_REG_WEIGHTS of the head)")
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 2);
        const std::int64_t columns = context.dim(0, 1);
        LS_CHECK(kShape, columns < 0 || columns == 4 || columns == 5,
                 "[BoxEncode] input 'boxes' must have 4 columns (boxes) or 5 (rois), got {}",
                 to_string(context.input(0)));
        context.require_real(1);
        context.require_rank(1, 2);
        context.require_dim(1, 1, 4, "box corners");
        const std::int64_t boxes = context.dim(0, 0);
        const std::int64_t rows = context.dim(1, 0);
        LS_CHECK(kShape, boxes < 0 || rows < 0 || (boxes == 0 ? rows == 0 : rows % boxes == 0),
                 "[BoxEncode] there are {} rows of 'gt' for {} boxes; wanted a multiple", rows, boxes);
        check_box_weights(context.args().numbers("weights"));
        return std::vector<TensorInfo>{{context.real(), {rows, 4}}};
      })
      .no_gradient("regression targets are constants of the step")
      .cpu(function_kernel(box_encode_cpu))
      .reference(function_kernel(box_encode_reference));
  return schema;
}

}  // namespace lockstep
