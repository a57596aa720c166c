// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void rpn_sample_cpu(KernelContext& context);

OpSchema rpn_sample_schema() {
  OpSchema schema("RpnSample");
  schema
      .doc(
          "Draws the anchors that each image learns from: at most int(batch_size * positive_fraction) objects, filled "
          "up with background, without replacement. The set depends on the labels, the seed, the sample id and the key "
          "alone (ops/sampling.h has the draw order).")
      .input("labels", "i32[N*R], of RpnMatch: 1 object, 0 background, -1 ignored")
      .input("sample_ids", "i64[N], the number of each sample in the whole run")
      .output("sampled_labels", "i32[N*R], -1 for the rows not drawn")
      .required_arg("batch_size", std::int64_t{256}, "anchors per image (MODEL.RPN.BATCH_SIZE_PER_IMAGE)")
      .range(1, 1 << 24)
      .required_arg("positive_fraction", 0.5, "largest share of objects (MODEL.RPN.POSITIVE_FRACTION)")
      .range(0, 1)
      .required_arg("key", std::string("rpn"), "name of the draw, the same for every replica")
      .in_place(0, 0)
      .infer([](const InferContext& context) {
        context.require_dtype(0, DType::kI32);
        context.require_rank(0, 1);
        context.require_dtype(1, DType::kI64);
        context.require_rank(1, 1);
        const std::int64_t rows = context.dim(0, 0);
        const std::int64_t images = context.dim(1, 0);
        LS_CHECK(kShape, rows < 0 || images < 0 || (images == 0 ? rows == 0 : rows % images == 0),
                 "[RpnSample] there are {} labels for {} images; wanted the same number for every image", rows, images);
        return std::vector<TensorInfo>{context.input(0)};
      })
      .no_gradient("labels are constants of the step")
      .cpu(function_kernel(rpn_sample_cpu))
      .reference(function_kernel(rpn_sample_cpu));  // integers only: the same on both engines
  return schema;
}

}  // namespace lockstep
