// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void anchors_cpu(KernelContext& context);
void anchors_reference(KernelContext& context);

OpSchema anchors_schema() {
  OpSchema schema("Anchors");
  schema
      .doc(
          "The anchors of one feature map, rows ordered y, x, then anchor (sizes outer, aspect ratios inner). An "
          "anchor "
          "of size s and ratio r is sqrt(s * s / r) wide and r times as high, centred on ((x + offset) * stride, "
          "(y + offset) * stride): Detectron2's DefaultAnchorGenerator.")
      .input("feature", "[N,C,H,W], any layout; only its height and width are read")
      .output("anchors", "[H*W*A,4], (x1, y1, x2, y2) in pixels of the network's input")
      .required_arg("sizes", std::vector<double>{32}, "square roots of the anchors' areas, in pixels")
      .range(1e-3, 1e6)
      .required_arg("aspect_ratios", std::vector<double>{1}, "heights over widths")
      .range(1e-3, 1e3)
      .required_arg("stride", 4.0, "pixels of the network's input per cell of the feature map")
      .range(1, 1e4)
      .arg("offset", 0.0, "of the first anchor's centre, in strides (MODEL.ANCHOR_GENERATOR.OFFSET)")
      .range(0, 1)
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        context.require_rank(0, 4);
        const auto per_cell = context.args().numbers("sizes").size() * context.args().numbers("aspect_ratios").size();
        LS_CHECK(kGraph, per_cell > 0, "[Anchors] 'sizes' and 'aspect_ratios' must not be empty");
        const std::int64_t height = context.dim(0, 2);
        const std::int64_t width = context.dim(0, 3);
        const bool known = height >= 0 && width >= 0;
        return std::vector<TensorInfo>{
            {context.real(), {known ? height * width * static_cast<std::int64_t>(per_cell) : -1, 4}}};
      })
      .no_gradient("anchors depend on the size of the feature map, not on its values")
      .cpu(function_kernel(anchors_cpu))
      .reference(function_kernel(anchors_reference));
  return schema;
}

}  // namespace lockstep
