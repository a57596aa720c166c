// SPDX-License-Identifier: Apache-2.0
// Proposal generator and region-of-interest heads.
#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_region_keys(KeyTableBuilder& t) {
  t.section("MODEL.PROPOSAL_GENERATOR", "Where region proposals come from.");
  LS_KEY(t, model.proposal_generator.name, "Builder of the proposal generator.").supports({"RPN"});
  LS_KEY(t, model.proposal_generator.min_size,
         "Smallest width and height of a proposal, in pixels of the network's input.")
      .at_least(0);

  t.section("MODEL.RPN", "The region proposal network.");
  LS_KEY(t, model.rpn.head_name, "Builder of the head.").only({"StandardRPNHead"});
  LS_KEY(t, model.rpn.in_features, "Feature maps that it reads.");
  LS_KEY(t, model.rpn.boundary_thresh,
         "Anchors further outside the image than this many pixels are left out of training; negative: none.");
  LS_KEY(t, model.rpn.iou_thresholds, "Overlaps that separate background, ignored and foreground anchors.")
      .between(0, 1);
  LS_KEY(t, model.rpn.iou_labels, "Labels of the intervals: 0 background, -1 ignored, 1 foreground.").between(-1, 1);
  LS_KEY(t, model.rpn.batch_size_per_image, "Anchors sampled per image for the loss.").at_least(1);
  LS_KEY(t, model.rpn.positive_fraction, "Largest part of them that is foreground.").between(0, 1);
  LS_KEY(t, model.rpn.bbox_reg_loss_type, "Loss of the box regression.").only({"smooth_l1"});
  LS_KEY(t, model.rpn.bbox_reg_loss_weight, "Weight of that loss.").at_least(0);
  LS_KEY(t, model.rpn.bbox_reg_weights, "Weights (dx, dy, dw, dh) of the box deltas.").at_least(1e-6);
  LS_KEY(t, model.rpn.smooth_l1_beta, "Where smooth L1 changes from square to linear; 0 is plain L1.").at_least(0);
  LS_KEY(t, model.rpn.loss_weight, "Weight of the objectness loss; the box loss is multiplied by it too.").at_least(0);
  LS_KEY(t, model.rpn.pre_nms_topk_train, "Best proposals per level that enter NMS in training.").at_least(1);
  LS_KEY(t, model.rpn.pre_nms_topk_test, "The same in evaluation.").at_least(1);
  LS_KEY(t, model.rpn.post_nms_topk_train, "Best proposals per image that leave NMS in training.").at_least(1);
  LS_KEY(t, model.rpn.post_nms_topk_test, "The same in evaluation.").at_least(1);
  LS_KEY(t, model.rpn.nms_thresh, "Overlap above which NMS removes the lower proposal.").between(0, 1);
  LS_KEY(t, model.rpn.conv_dims, "Channels of the hidden convolutions; -1 is the channels of the input.")
      .at_least(-1)
      .only({Value::List{-1}});

  t.section("MODEL.ROI_HEADS", "The second stage.");
  LS_KEY(t, model.roi_heads.name, "Builder of the heads.").supports({"StandardROIHeads"});
  LS_KEY(t, model.roi_heads.num_classes,
         "Number of classes without background. Not set anywhere: the number of categories of the training data; set "
         "and different: an error.")
      .at_least(1)
      .absence_matters();
  LS_KEY(t, model.roi_heads.in_features, "Feature maps that regions are taken from.");
  LS_KEY(t, model.roi_heads.iou_thresholds, "Overlaps that separate background and foreground proposals.")
      .between(0, 1);
  LS_KEY(t, model.roi_heads.iou_labels, "Labels of the intervals: 0 background, -1 ignored, 1 foreground.")
      .between(-1, 1);
  LS_KEY(t, model.roi_heads.batch_size_per_image, "Regions sampled per image in training.").at_least(1);
  LS_KEY(t, model.roi_heads.positive_fraction, "Largest part of them that is foreground.").between(0, 1);
  LS_KEY(t, model.roi_heads.score_thresh_test, "Detections with a lower score are dropped.").between(0, 1);
  LS_KEY(t, model.roi_heads.nms_thresh_test, "Overlap above which NMS removes the lower detection of a class.")
      .between(0, 1);
  LS_KEY(t, model.roi_heads.proposal_append_gt, "Adds the true boxes to the proposals in training.");

  t.section("MODEL.ROI_BOX_HEAD", "Box head of the second stage.");
  LS_KEY(t, model.roi_box_head.name, "Builder of the head.").supports({"FastRCNNConvFCHead"});
  LS_KEY(t, model.roi_box_head.bbox_reg_loss_type, "Loss of the box regression.").only({"smooth_l1"});
  LS_KEY(t, model.roi_box_head.bbox_reg_loss_weight, "Weight of that loss.").at_least(0);
  LS_KEY(t, model.roi_box_head.bbox_reg_weights, "Weights (dx, dy, dw, dh) of the box deltas.").at_least(1e-6);
  LS_KEY(t, model.roi_box_head.smooth_l1_beta, "Where smooth L1 changes from square to linear; 0 is plain L1.")
      .at_least(0);
  LS_KEY(t, model.roi_box_head.pooler_resolution, "Height and width of a pooled region.").between(1, 64);
  LS_KEY(t, model.roi_box_head.pooler_sampling_ratio,
         "Samples per bin and direction; 0 is as many as the bin has pixels.")
      .between(0, 64);
  LS_KEY(t, model.roi_box_head.pooler_type,
         "RoIAlign with (`ROIAlignV2`) or without (`ROIAlign`) the half-pixel shift.")
      .supports({"ROIAlignV2", "ROIAlign"});
  LS_KEY(t, model.roi_box_head.num_conv, "3x3 convolutions before the fully connected layers.").at_least(0);
  LS_KEY(t, model.roi_box_head.conv_dim, "Their channels.").at_least(1);
  LS_KEY(t, model.roi_box_head.num_fc, "Fully connected layers.").at_least(0);
  LS_KEY(t, model.roi_box_head.fc_dim, "Their width.").at_least(1);
  LS_KEY(t, model.roi_box_head.norm, "Normalisation after the convolutions: none (\"\") or `GN`.").supports({"", "GN"});
  LS_KEY(t, model.roi_box_head.cls_agnostic_bbox_reg, "One box per region instead of one per class.").only({false});
  LS_KEY(t, model.roi_box_head.train_on_pred_boxes, "Trains later heads on predicted boxes.").only({false});
  LS_KEY(t, model.roi_box_head.use_fed_loss, "Federated loss (LVIS).").only({false});
  LS_KEY(t, model.roi_box_head.use_sigmoid_ce, "Sigmoid instead of softmax classification.").only({false});
  LS_KEY(t, model.roi_box_head.fed_loss_freq_weight_power, "Setting of the federated loss.").no_effect();
  LS_KEY(t, model.roi_box_head.fed_loss_num_classes, "Setting of the federated loss.").no_effect().at_least(0);
}

}  // namespace lockstep
