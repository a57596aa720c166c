// SPDX-License-Identifier: Apache-2.0
// Heads that Detectron2 has and this build does not run. The keys that would switch them on are refused where
// they stand (MODEL.META_ARCHITECTURE, MASK_ON, KEYPOINT_ON, ROI_HEADS.NAME); the settings below then have no effect.
#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_other_model_keys(KeyTableBuilder& t) {
  t.section("MODEL.RETINANET", "RetinaNet; no effect with another meta architecture.");
  LS_KEY(t, model.retinanet.num_classes, "Number of classes without background.")
      .no_effect()
      .at_least(1)
      .absence_matters();
  LS_KEY(t, model.retinanet.in_features, "Feature maps that the head reads.").no_effect();
  LS_KEY(t, model.retinanet.num_convs, "Hidden convolutions of each branch.").no_effect().at_least(0);
  LS_KEY(t, model.retinanet.iou_thresholds, "Overlaps that separate background, ignored and foreground anchors.")
      .no_effect()
      .between(0, 1);
  LS_KEY(t, model.retinanet.iou_labels, "Labels of the intervals.").no_effect().between(-1, 1);
  LS_KEY(t, model.retinanet.prior_prob, "Probability of an object that the initial bias states.")
      .no_effect()
      .between(0, 1);
  LS_KEY(t, model.retinanet.score_thresh_test, "Detections with a lower score are dropped.").no_effect().between(0, 1);
  LS_KEY(t, model.retinanet.topk_candidates_test, "Best boxes per level that enter NMS.").no_effect().at_least(1);
  LS_KEY(t, model.retinanet.nms_thresh_test, "Overlap above which NMS removes the lower detection.")
      .no_effect()
      .between(0, 1);
  LS_KEY(t, model.retinanet.bbox_reg_weights, "Weights of the box deltas.").no_effect().at_least(1e-6);
  LS_KEY(t, model.retinanet.focal_loss_gamma, "Exponent of the focal loss.").no_effect().at_least(0);
  LS_KEY(t, model.retinanet.focal_loss_alpha, "Balance of the focal loss.").no_effect();
  LS_KEY(t, model.retinanet.smooth_l1_loss_beta, "Where smooth L1 changes from square to linear.")
      .no_effect()
      .at_least(0);
  LS_KEY(t, model.retinanet.bbox_reg_loss_type, "Loss of the box regression.").no_effect();
  LS_KEY(t, model.retinanet.norm, "Normalisation of the head.").no_effect();

  t.section("MODEL.ROI_BOX_CASCADE_HEAD", "Cascade R-CNN.");
  LS_KEY(t, model.roi_box_cascade_head.bbox_reg_weights, "Weights of the box deltas of each stage.").no_effect();
  LS_KEY(t, model.roi_box_cascade_head.ious, "Overlap threshold of each stage.").no_effect();

  t.section("MODEL.ROI_MASK_HEAD", "Mask head; no effect without MODEL.MASK_ON.");
  LS_KEY(t, model.roi_mask_head.name, "Builder of the head.").no_effect();
  LS_KEY(t, model.roi_mask_head.pooler_resolution, "Height and width of a pooled region.").no_effect().at_least(1);
  LS_KEY(t, model.roi_mask_head.pooler_sampling_ratio, "Samples per bin and direction.").no_effect().at_least(0);
  LS_KEY(t, model.roi_mask_head.num_conv, "Convolutions of the head.").no_effect().at_least(0);
  LS_KEY(t, model.roi_mask_head.conv_dim, "Their channels.").no_effect().at_least(1);
  LS_KEY(t, model.roi_mask_head.norm, "Normalisation after them.").no_effect();
  LS_KEY(t, model.roi_mask_head.cls_agnostic_mask, "One mask per region instead of one per class.").no_effect();
  LS_KEY(t, model.roi_mask_head.pooler_type, "Kind of pooling.").no_effect();

  t.section("MODEL.ROI_KEYPOINT_HEAD", "Key-point head; no effect without MODEL.KEYPOINT_ON.");
  LS_KEY(t, model.roi_keypoint_head.name, "Builder of the head.").no_effect();
  LS_KEY(t, model.roi_keypoint_head.pooler_resolution, "Height and width of a pooled region.").no_effect().at_least(1);
  LS_KEY(t, model.roi_keypoint_head.pooler_sampling_ratio, "Samples per bin and direction.").no_effect().at_least(0);
  LS_KEY(t, model.roi_keypoint_head.conv_dims, "Channels of the convolutions.").no_effect();
  LS_KEY(t, model.roi_keypoint_head.num_keypoints, "Key points per object.").no_effect().at_least(1);
  LS_KEY(t, model.roi_keypoint_head.min_keypoints_per_image, "Images with fewer are left out of training.")
      .no_effect()
      .at_least(0);
  LS_KEY(t, model.roi_keypoint_head.normalize_loss_by_visible_keypoints, "Divisor of the loss.").no_effect();
  LS_KEY(t, model.roi_keypoint_head.loss_weight, "Weight of the loss.").no_effect();
  LS_KEY(t, model.roi_keypoint_head.pooler_type, "Kind of pooling.").no_effect();

  t.section("MODEL.SEM_SEG_HEAD", "Semantic segmentation.");
  LS_KEY(t, model.sem_seg_head.name, "Builder of the head.").no_effect();
  LS_KEY(t, model.sem_seg_head.in_features, "Feature maps that the head reads.").no_effect();
  LS_KEY(t, model.sem_seg_head.ignore_value, "Label that the loss leaves out.").no_effect();
  LS_KEY(t, model.sem_seg_head.num_classes, "Number of classes.").no_effect();
  LS_KEY(t, model.sem_seg_head.convs_dim, "Channels of the convolutions.").no_effect();
  LS_KEY(t, model.sem_seg_head.common_stride, "Stride of the prediction.").no_effect();
  LS_KEY(t, model.sem_seg_head.norm, "Normalisation.").no_effect();
  LS_KEY(t, model.sem_seg_head.loss_weight, "Weight of the loss.").no_effect();

  t.section("MODEL.PANOPTIC_FPN", "Panoptic segmentation.");
  LS_KEY(t, model.panoptic_fpn.instance_loss_weight, "Weight of the instance losses.").no_effect();
  LS_KEY(t, model.panoptic_fpn.combine.enabled, "Joins instances and regions.").no_effect();
  LS_KEY(t, model.panoptic_fpn.combine.overlap_thresh, "Overlap above which an instance is dropped.").no_effect();
  LS_KEY(t, model.panoptic_fpn.combine.stuff_area_limit, "Smallest area of a region, in pixels.").no_effect();
  LS_KEY(t, model.panoptic_fpn.combine.instances_confidence_thresh, "Smallest score of an instance.").no_effect();
}

}  // namespace lockstep
