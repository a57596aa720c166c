// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockstep {

// The MODEL section of a recipe. A member has the lower-case name of its key and Detectron2's default;
// the meaning, range and support of every key stand in docs/config.md (made from the key table).

struct BackboneConfig {
  std::string name = "build_resnet_backbone";
  int freeze_at = 2;
};

struct FpnConfig {
  std::vector<std::string> in_features;
  int out_channels = 256;
  std::string norm;
  std::string fuse_type = "sum";
};

struct ProposalGeneratorConfig {
  std::string name = "RPN";
  double min_size = 0;
};

struct AnchorGeneratorConfig {
  std::string name = "DefaultAnchorGenerator";
  std::vector<std::vector<double>> sizes = {{32, 64, 128, 256, 512}};  // pixels; one list per level, or one for all
  std::vector<std::vector<double>> aspect_ratios = {{0.5, 1.0, 2.0}};  // height / width
  std::vector<std::vector<double>> angles = {{-90, 0, 90}};
  double offset = 0.0;
};

struct RpnConfig {
  std::string head_name = "StandardRPNHead";
  std::vector<std::string> in_features = {"res4"};
  double boundary_thresh = -1;
  std::vector<double> iou_thresholds = {0.3, 0.7};
  std::vector<int> iou_labels = {0, -1, 1};
  int batch_size_per_image = 256;
  double positive_fraction = 0.5;
  std::string bbox_reg_loss_type = "smooth_l1";
  double bbox_reg_loss_weight = 1.0;
  std::vector<double> bbox_reg_weights = {1.0, 1.0, 1.0, 1.0};
  double smooth_l1_beta = 0.0;
  double loss_weight = 1.0;
  int pre_nms_topk_train = 12000;
  int pre_nms_topk_test = 6000;
  int post_nms_topk_train = 2000;
  int post_nms_topk_test = 1000;
  double nms_thresh = 0.7;
  std::vector<int> conv_dims = {-1};
};

struct RoiHeadsConfig {
  std::string name = "Res5ROIHeads";
  int num_classes = 80;
  std::vector<std::string> in_features = {"res4"};
  std::vector<double> iou_thresholds = {0.5};
  std::vector<int> iou_labels = {0, 1};
  int batch_size_per_image = 512;
  double positive_fraction = 0.25;
  double score_thresh_test = 0.05;
  double nms_thresh_test = 0.5;
  bool proposal_append_gt = true;
};

struct RoiBoxHeadConfig {
  std::string name;
  std::string bbox_reg_loss_type = "smooth_l1";
  double bbox_reg_loss_weight = 1.0;
  std::vector<double> bbox_reg_weights = {10.0, 10.0, 5.0, 5.0};
  double smooth_l1_beta = 0.0;
  int pooler_resolution = 14;
  int pooler_sampling_ratio = 0;
  std::string pooler_type = "ROIAlignV2";
  int num_fc = 0;
  int fc_dim = 1024;
  int num_conv = 0;
  int conv_dim = 256;
  std::string norm;
  bool cls_agnostic_bbox_reg = false;
  bool train_on_pred_boxes = false;
  bool use_fed_loss = false;
  bool use_sigmoid_ce = false;
  double fed_loss_freq_weight_power = 0.5;
  int fed_loss_num_classes = 50;
};

struct RoiBoxCascadeHeadConfig {
  std::vector<std::vector<double>> bbox_reg_weights = {
      {10.0, 10.0, 5.0, 5.0}, {20.0, 20.0, 10.0, 10.0}, {30.0, 30.0, 15.0, 15.0}};
  std::vector<double> ious = {0.5, 0.6, 0.7};
};

struct RoiMaskHeadConfig {
  std::string name = "MaskRCNNConvUpsampleHead";
  int pooler_resolution = 14;
  int pooler_sampling_ratio = 0;
  int num_conv = 0;
  int conv_dim = 256;
  std::string norm;
  bool cls_agnostic_mask = false;
  std::string pooler_type = "ROIAlignV2";
};

struct RoiKeypointHeadConfig {
  std::string name = "KRCNNConvDeconvUpsampleHead";
  int pooler_resolution = 14;
  int pooler_sampling_ratio = 0;
  std::vector<int> conv_dims = {512, 512, 512, 512, 512, 512, 512, 512};
  int num_keypoints = 17;
  int min_keypoints_per_image = 1;
  bool normalize_loss_by_visible_keypoints = true;
  double loss_weight = 1.0;
  std::string pooler_type = "ROIAlignV2";
};

struct SemSegHeadConfig {
  std::string name = "SemSegFPNHead";
  std::vector<std::string> in_features = {"p2", "p3", "p4", "p5"};
  int ignore_value = 255;
  int num_classes = 54;
  int convs_dim = 128;
  int common_stride = 4;
  std::string norm = "GN";
  double loss_weight = 1.0;
};

struct PanopticCombineConfig {
  bool enabled = true;
  double overlap_thresh = 0.5;
  int stuff_area_limit = 4096;
  double instances_confidence_thresh = 0.5;
};

struct PanopticFpnConfig {
  double instance_loss_weight = 1.0;
  PanopticCombineConfig combine;
};

struct RetinaNetConfig {
  int num_classes = 80;
  std::vector<std::string> in_features = {"p3", "p4", "p5", "p6", "p7"};
  int num_convs = 4;
  std::vector<double> iou_thresholds = {0.4, 0.5};
  std::vector<int> iou_labels = {0, -1, 1};
  double prior_prob = 0.01;
  double score_thresh_test = 0.05;
  int topk_candidates_test = 1000;
  double nms_thresh_test = 0.5;
  std::vector<double> bbox_reg_weights = {1.0, 1.0, 1.0, 1.0};
  double focal_loss_gamma = 2.0;
  double focal_loss_alpha = 0.25;
  double smooth_l1_loss_beta = 0.1;
  std::string bbox_reg_loss_type = "smooth_l1";
  std::string norm;
};

struct ResNetsConfig {
  int depth = 50;
  std::vector<std::string> out_features = {"res4"};
  int num_groups = 1;
  std::string norm = "FrozenBN";
  int width_per_group = 64;
  bool stride_in_1x1 = true;
  int res5_dilation = 1;
  int res2_out_channels = 256;
  int stem_out_channels = 64;
  std::vector<bool> deform_on_per_stage = {false, false, false, false};
  bool deform_modulated = false;
  int deform_num_groups = 1;
};

struct ModelConfig {
  bool load_proposals = false;
  bool mask_on = false;
  bool keypoint_on = false;
  std::string device = "cuda";
  std::string meta_architecture = "GeneralizedRCNN";
  std::string weights;
  std::vector<double> pixel_mean = {103.53, 116.28, 123.675};  // in the channel order of INPUT.FORMAT
  std::vector<double> pixel_std = {1.0, 1.0, 1.0};
  int gn_num_groups = 32;              // extension
  std::string execution_type = "dag";  // extension
  BackboneConfig backbone;
  FpnConfig fpn;
  ProposalGeneratorConfig proposal_generator;
  AnchorGeneratorConfig anchor_generator;
  RpnConfig rpn;
  RoiHeadsConfig roi_heads;
  RoiBoxHeadConfig roi_box_head;
  RoiBoxCascadeHeadConfig roi_box_cascade_head;
  RoiMaskHeadConfig roi_mask_head;
  RoiKeypointHeadConfig roi_keypoint_head;
  SemSegHeadConfig sem_seg_head;
  PanopticFpnConfig panoptic_fpn;
  RetinaNetConfig retinanet;
  ResNetsConfig resnets;
};

}  // namespace lockstep
