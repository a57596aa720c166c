// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/box_head.h"

#include <bit>

#include "lockstep/base/check.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

struct Scores {
  std::string logits;  // [P, C+1]
  std::string deltas;  // [P, 4C], or [P, 4] when class-agnostic
};

std::string add_pooler(Model& model, const Config& config, const Features& features, const std::string& rois) {
  const RoiBoxHeadConfig& head = config.model.roi_box_head;
  const std::vector<std::string>& names = config.model.roi_heads.in_features;
  std::vector<std::string> blobs;
  std::vector<double> scales;
  int min_level = 0;
  for (const std::string& name : names) {
    const auto found = features.find(name);
    LS_CHECK(kConfig, found != features.end(),
             "MODEL.ROI_HEADS.IN_FEATURES names '{}', which the backbone does not make", name);
    const int level = std::countr_zero(static_cast<unsigned>(found->second.stride));
    if (blobs.empty()) min_level = level;
    LS_CHECK(kConfig, level == min_level + static_cast<int>(blobs.size()),
             "MODEL.ROI_HEADS.IN_FEATURES must name consecutive levels, finest first; '{}' does not follow", name);
    blobs.push_back(found->second.blob);
    scales.push_back(1.0 / found->second.stride);
  }
  const std::string levels = model.scoped("roi_levels");
  model.net().add("AssignLevels", {rois}, {levels},
                  {arg("min_level", min_level), arg("max_level", min_level + static_cast<int>(blobs.size()) - 1)});
  const std::string pooled = model.scoped("roi_features");
  std::vector<std::string> inputs = {rois, levels};
  inputs.insert(inputs.end(), blobs.begin(), blobs.end());
  model.net().add("RoIAlign", inputs, {pooled},
                  {arg("spatial_scales", scales), arg("pooled_size", head.pooler_resolution),
                   arg("sampling_ratio", head.pooler_sampling_ratio), arg("aligned", head.pooler_type == "ROIAlignV2"),
                   arg("min_level", min_level)});
  return pooled;
}

Scores add_head(Model& model, const Config& config, const Features& features, const std::string& rois) {
  const RoiBoxHeadConfig& head = config.model.roi_box_head;
  const int classes = config.model.roi_heads.num_classes;
  const std::string prefix = "roi_heads.";
  std::string x = add_pooler(model, config, features, rois);
  int channels = features.at(config.model.roi_heads.in_features.at(0)).channels;
  for (int i = 1; i <= head.num_conv; ++i) {
    x = add_conv(model,
                 {.name = prefix + "box_head.conv" + std::to_string(i),
                  .in_channels = channels,
                  .out_channels = head.conv_dim,
                  .kernel = 3,
                  .padding = 1,
                  .norm = {head.norm, config.model.gn_num_groups},
                  .relu = true},
                 x);
    channels = head.conv_dim;
  }
  std::int64_t width = std::int64_t{channels} * head.pooler_resolution * head.pooler_resolution;
  for (int i = 1; i <= head.num_fc; ++i) {
    x = add_fully_connected(model,
                            {.name = prefix + "box_head.fc" + std::to_string(i),
                             .in_features = width,
                             .out_features = head.fc_dim,
                             .relu = true},
                            x);
    width = head.fc_dim;
  }
  Scores scores;
  scores.logits = add_fully_connected(model,
                                      {.name = prefix + "box_predictor.cls_score",
                                       .in_features = width,
                                       .out_features = classes + 1,
                                       .filler = gaussian_filler(0.01)},
                                      x);
  scores.deltas = add_fully_connected(model,
                                      {.name = prefix + "box_predictor.bbox_pred",
                                       .in_features = width,
                                       .out_features = 4 * (head.cls_agnostic_bbox_reg ? 1 : classes),
                                       .filler = gaussian_filler(0.001)},
                                      x);
  return scores;
}

}  // namespace

void add_box_head_losses(Model& model, const Config& config, const Features& features, const std::string& proposals,
                         const Batch& batch, double loss_scale, Losses& losses) {
  const RoiHeadsConfig& heads = config.model.roi_heads;
  const RoiBoxHeadConfig& head = config.model.roi_box_head;
  NetBuilder& net = model.net();
  const std::string rois = model.scoped("rois");
  const std::string labels = model.scoped("roi_labels");
  const std::string matched_gt = model.scoped("roi_matched_gt");
  const std::string targets = model.scoped("roi_targets");
  const std::vector<std::int64_t> iou_labels(heads.iou_labels.begin(), heads.iou_labels.end());
  net.add(
      "SampleRois", {proposals, batch.gt_boxes, batch.gt_classes, batch.gt_crowd, batch.gt_counts, batch.sample_ids},
      {rois, labels, matched_gt},
      {arg("batch_size", heads.batch_size_per_image), arg("positive_fraction", heads.positive_fraction),
       arg("iou_thresholds", heads.iou_thresholds), arg("iou_labels", iou_labels),
       arg("num_classes", heads.num_classes), arg("append_gt", heads.proposal_append_gt), arg("key", "sample_rois")});
  net.add("BoxEncode", {rois, matched_gt}, {targets}, {arg("weights", head.bbox_reg_weights)});
  const Scores scores = add_head(model, config, features, rois);
  const std::string loss_cls = model.scoped("loss_cls");
  const std::string loss_box_reg = model.scoped("loss_box_reg");
  net.add("SoftmaxCrossEntropyLoss", {scores.logits, labels}, {loss_cls, model.scoped("cls_prob")},
          {arg("scale", loss_scale)});
  net.add("BoxRegressionLoss", {scores.deltas, targets, labels}, {loss_box_reg},
          {arg("beta", head.smooth_l1_beta), arg("fg_low", 0), arg("fg_high", heads.num_classes),
           arg("class_agnostic", head.cls_agnostic_bbox_reg), arg("scale", loss_scale * head.bbox_reg_loss_weight)});
  losses.emplace_back("loss_cls", loss_cls);
  losses.emplace_back("loss_box_reg", loss_box_reg);
}

Detections add_box_head_detections(Model& model, const Config& config, const Features& features,
                                   const std::string& proposals, const Batch& batch) {
  const Scores scores = add_head(model, config, features, proposals);
  const std::string prob = model.scoped("cls_prob");
  model.net().add("Softmax", {scores.logits}, {prob});
  const Detections detections = {model.scoped("boxes"), model.scoped("scores"), model.scoped("classes"),
                                 model.scoped("image_index")};
  model.net().add("DetectBoxes", {prob, scores.deltas, proposals, batch.im_info},
                  {detections.boxes, detections.scores, detections.classes, detections.image_index},
                  {arg("weights", config.model.roi_box_head.bbox_reg_weights),
                   arg("score_thresh", config.model.roi_heads.score_thresh_test),
                   arg("nms_thresh", config.model.roi_heads.nms_thresh_test),
                   arg("detections_per_image", config.test.detections_per_image)});
  return detections;
}

}  // namespace lockstep
