// SPDX-License-Identifier: Apache-2.0
// MODEL itself, backbone, feature pyramid, anchors.
#include <algorithm>

#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_model_keys(KeyTableBuilder& t) {
  t.section("MODEL", "The network.");
  LS_KEY(t, model.meta_architecture, "The kind of detector.").supports({"GeneralizedRCNN"});
  LS_KEY(t, model.device, "`cpu` or `cuda`; a build without CUDA runs `cuda` on the CPU and says so once.")
      .supports_if(
          [](const Value& value) {
            const std::string& name = std::get<std::string>(value.data);
            return name == "cpu" || name == "cuda" || name.starts_with("cuda:");
          },
          "cpu and cuda");
  LS_KEY(t, model.weights,
         "Initial weights: a path or a zoo name (`detectron2://...`), looked up in $LOCKSTEP_WEIGHTS. Empty: random.")
      .path();
  LS_KEY(t, model.mask_on, "Predict a mask per object (Mask R-CNN).").only({false});
  LS_KEY(t, model.keypoint_on, "Predict key points per object.").only({false});
  LS_KEY(t, model.load_proposals, "Take proposals from files instead of a proposal network (Fast R-CNN).")
      .only({false});
  LS_KEY(t, model.pixel_mean, "Subtracted from each channel of the image, in the order of INPUT.FORMAT.");
  LS_KEY(t, model.pixel_std, "Each channel is divided by it after the mean is subtracted.").at_least(1e-6);
  LS_KEY(t, model.gn_num_groups, "Groups of every group normalisation (GN); must divide the channels of each.")
      .extension()
      .at_least(1);
  LS_KEY(t, model.execution_type,
         "Executor of the nets: `dag` runs ops as their inputs are ready, `simple` in program order. The result is the "
         "same.")
      .extension()
      .choices({"dag", "simple"});

  t.section("MODEL.BACKBONE", "The feature extractor.");
  LS_KEY(t, model.backbone.name, "Builder of the backbone.").supports({"build_resnet_fpn_backbone"});
  LS_KEY(t, model.backbone.freeze_at,
         "First stages whose parameters stay fixed: 0 none, 1 the stem, 2 the stem and res2, ...")
      .between(0, 5);

  t.section("MODEL.RESNETS", "The residual network.");
  LS_KEY(t, model.resnets.depth, "Number of layers.").supports({18, 34, 50, 101, 152});
  LS_KEY(t, model.resnets.out_features, "Stages that are handed on: res2 (stride 4) to res5 (stride 32).")
      .supports_if(
          [](const Value& value) {
            const auto& names = std::get<Value::List>(value.data);
            return std::all_of(names.begin(), names.end(), [](const Value& name) {
              return name == Value("res2") || name == Value("res3") || name == Value("res4") || name == Value("res5");
            });
          },
          "res2, res3, res4 and res5");
  LS_KEY(t, model.resnets.num_groups, "Groups of the 3x3 convolutions (ResNeXt).").only({1});
  LS_KEY(t, model.resnets.norm, "Normalisation: none (\"\"), `FrozenBN` (fixed statistics, needs weights) or `GN`.")
      .supports({"", "FrozenBN", "GN"});
  LS_KEY(t, model.resnets.width_per_group, "Bottleneck width of res2 per group (R50 and deeper).").at_least(1);
  LS_KEY(
      t, model.resnets.stride_in_1x1,
      "Stride in the first 1x1 convolution of a bottleneck (MSRA weights) instead of the 3x3 (torchvision weights).");
  LS_KEY(t, model.resnets.res5_dilation, "Dilation of res5.").only({1});
  LS_KEY(t, model.resnets.res2_out_channels,
         "Channels of res2; each later stage doubles them. Any value for R18 and R34 too (an extension; Detectron2 "
         "wants 64).")
      .at_least(1);
  LS_KEY(t, model.resnets.stem_out_channels, "Channels of the stem.").at_least(1);
  LS_KEY(t, model.resnets.deform_on_per_stage, "Deformable convolutions in res2 to res5.")
      .only({Value::List{false, false, false, false}});
  LS_KEY(t, model.resnets.deform_modulated, "Modulated deformable convolutions.").no_effect();
  LS_KEY(t, model.resnets.deform_num_groups, "Groups of deformable convolutions.").no_effect().at_least(1);

  t.section("MODEL.FPN", "The feature pyramid.");
  LS_KEY(t, model.fpn.in_features, "Stages of the backbone that enter the pyramid.");
  LS_KEY(t, model.fpn.out_channels, "Channels of every pyramid level.").at_least(1);
  LS_KEY(t, model.fpn.norm, "Normalisation after each convolution: none (\"\") or `GN`.").supports({"", "GN"});
  LS_KEY(t, model.fpn.fuse_type, "How the coarser level joins: their sum or average.")
      .choices({"sum", "avg"})
      .only({"sum"});

  t.section("MODEL.ANCHOR_GENERATOR", "Reference boxes.");
  LS_KEY(t, model.anchor_generator.name, "Kind of anchors.").only({"DefaultAnchorGenerator"});
  LS_KEY(t, model.anchor_generator.sizes,
         "Square roots of the anchors' areas in pixels: one list per level, or one list for all.")
      .between(1e-3, 1e6);
  LS_KEY(t, model.anchor_generator.aspect_ratios,
         "Height / width of the anchors: one list per level, or one list for all.")
      .between(1e-3, 1e3);
  LS_KEY(t, model.anchor_generator.angles, "Angles of rotated anchors, in degrees.").no_effect();
  LS_KEY(t, model.anchor_generator.offset, "Shift of the anchors' centres, in strides.").between(0, 0.999999);
}

}  // namespace lockstep
