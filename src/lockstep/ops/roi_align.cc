// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/roi_align_kernels.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {
namespace {

void add_args(OpSchema& schema) {
  schema.required_arg("spatial_scales", std::vector<double>{0.25}, "per feature map: its size over the image's size")
      .range(1e-6, 1.0)
      .arg("pooled_size", std::int64_t{7}, "bins of a RoI in both image axes")
      .range(1, 64)
      .arg("sampling_ratio", std::int64_t{0}, "samples per bin and axis; 0: as many as the bin has pixels, rounded up")
      .range(0, 64)
      .arg("aligned", std::int64_t{1},
           "1: pixel centres are at +0.5 (ROIAlignV2); 0: at integers, RoIs at least 1 wide")
      .range(0, 1)
      .arg("min_level", std::int64_t{2}, "level of the first feature map")
      .range(0, 16);
}

// Checks all inputs; `first` is the first feature map. Returns [Q,C,S,S].
Shape check_inputs(const InferContext& context, int first) {
  context.require_real(0);
  context.require_rank(0, 2);
  context.require_dim(0, 1, 5, "image index, x1, y1, x2, y2");
  context.require_dtype(1, DType::kI32);
  context.require_rank(1, 1);
  context.require_dim(1, 0, context.dim(0, 0), "one level per row of rois");
  const auto scales = context.args().numbers("spatial_scales").size();
  const auto maps = static_cast<std::size_t>(context.input_count() - first);
  LS_CHECK(kShape, scales == maps, "[RoIAlign] {} feature maps with {} spatial_scales; wanted one per map", maps,
           scales);
  for (int i = first; i < context.input_count(); ++i) {
    context.require_real(i);
    context.require_rank(i, 4);
    context.require_dim(i, 0, context.dim(first, 0), "the images of the first map");
    context.require_dim(i, 1, context.dim(first, 1), "the channels of the first map");
  }
  const std::int64_t size = context.args().integer("pooled_size");
  return {context.dim(0, 0), context.dim(first, 1), size, size};
}

Gradients roi_align_gradient(const GradientContext& context) {
  Gradients gradients;
  gradients.input_gradients.resize(static_cast<std::size_t>(context.input_count()));
  if (context.output_gradient(0).empty()) return gradients;
  std::vector<std::string> inputs = {context.input(0), context.input(1), context.output_gradient(0)};
  std::vector<std::string> outputs;
  bool needed = false;
  for (int i = 2; i < context.input_count(); ++i) {
    inputs.push_back(context.input(i));
    outputs.push_back(context.input_gradient(i));
    if (!context.needs_gradient(i)) continue;
    needed = true;
    gradients.input_gradients[static_cast<std::size_t>(i)] = outputs.back();
  }
  if (needed) gradients.ops.push_back(context.make("RoIAlignGradient", inputs, outputs));
  return gradients;
}

}  // namespace

OpSchema roi_align_schema() {
  OpSchema schema("RoIAlign");
  schema
      .doc(
          "Features of regions: each RoI is cut into bins on the feature map of its level; a bin is the mean of "
          "bilinear "
          "samples on a regular grid, samples outside the map by more than a pixel being 0 (He et al., Mask R-CNN, "
          "2017; "
          "torchvision.ops.roi_align). No gradient goes to the boxes, as in the ancestors.")
      .input("rois", "[Q,5] = (image index in the micro-batch, x1, y1, x2, y2) in pixels of the image; Q may be 0")
      .input("levels", "i32[Q], min_level for the first map (see AssignLevels)")
      .input("features", "maps [N,C,H,W] of any layout, finest first")
      .variadic_inputs(3)
      .output("pooled", "[Q,C,S,S], row-major")
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        return std::vector<TensorInfo>{{context.real(), check_inputs(context, 2)}};
      })
      .gradient(roi_align_gradient)
      .cpu(function_kernel(roi_align_cpu))
      .reference(function_kernel(roi_align_reference));
  add_args(schema);
  return schema;
}

OpSchema roi_align_gradient_schema() {
  OpSchema schema("RoIAlignGradient");
  schema.doc("Gradients of RoIAlign's feature maps: every sample's share is added to its four pixels, RoIs in order.")
      .input("rois", "as RoIAlign's")
      .input("levels", "as RoIAlign's")
      .input("dY", "gradient of the pooled features [Q,C,S,S]")
      .input("features", "RoIAlign's maps; only shapes and layouts are used")
      .variadic_inputs(4)
      .output("dfeatures", "gradients of the maps, of their shapes and layouts; 0 where no RoI looks")
      .variadic_outputs(1)
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        const Shape pooled = check_inputs(context, 3);
        context.require_real(2);
        context.require_rank(2, 4);
        for (int axis = 0; axis < 4; ++axis) {
          context.require_dim(2, axis, pooled[static_cast<std::size_t>(axis)],
                              "the pooled shape is " + to_string(pooled));
        }
        LS_CHECK(kShape, context.output_count() == context.input_count() - 3,
                 "[RoIAlignGradient] {} outputs for {} feature maps", context.output_count(),
                 context.input_count() - 3);
        std::vector<TensorInfo> outputs;
        for (int i = 3; i < context.input_count(); ++i) outputs.push_back(context.input(i));
        return outputs;
      })
      .no_gradient("gradients of gradients are not supported")
      .chooser([](DeviceContext&, const OpSizes& sizes) {
        KernelChoice choice = own_kernel_in(sizes.layouts[3], sizes);
        choice.layouts.assign(sizes.layouts.begin() + 3, sizes.layouts.end());
        return choice;
      })
      .cpu(class_kernel<RoiAlignGradientCpu>())
      .reference(function_kernel(roi_align_gradient_reference));
  add_args(schema);
  return schema;
}

}  // namespace lockstep
