// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void assign_levels_cpu(KernelContext& context);
void assign_levels_reference(KernelContext& context);

OpSchema assign_levels_schema() {
  OpSchema schema("AssignLevels");
  schema
      .doc(
          "The pyramid level that each roi is pooled from: floor(canonical_level + log2(sqrt(area) / canonical_size + "
          "1e-8)), kept within [min_level, max_level] (Lin et al., \"Feature Pyramid Networks\", 2017, equation 1; the "
          "area without +1, as in Detectron2).")
      .input("rois", "[Q,5], (image, x1, y1, x2, y2)")
      .output("levels", "i32[Q], min_level..max_level")
      .arg("min_level", std::int64_t{2}, "finest level")
      .range(0, 30)
      .arg("max_level", std::int64_t{5}, "coarsest level")
      .range(0, 30)
      .arg("canonical_level", std::int64_t{4}, "level of a roi of the canonical size")
      .range(0, 30)
      .arg("canonical_size", 224.0, "square root of the canonical area, in pixels")
      .range(1e-3, 1e6)
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 2);
        context.require_dim(0, 1, 5, "image and box corners");
        const std::int64_t low = context.args().integer("min_level");
        const std::int64_t high = context.args().integer("max_level");
        LS_CHECK(kGraph, low <= high, "[AssignLevels] min_level {} is above max_level {}", low, high);
        return std::vector<TensorInfo>{{DType::kI32, {context.dim(0, 0)}}};
      })
      .no_gradient("levels are whole numbers")
      .cpu(function_kernel(assign_levels_cpu))
      .reference(function_kernel(assign_levels_reference));
  return schema;
}

}  // namespace lockstep
