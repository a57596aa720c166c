// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/rpn.h"

#include "lockstep/base/check.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

// Detectron2 gives one list per level, or one list for all levels.
const std::vector<double>& for_level(const std::vector<std::vector<double>>& lists, std::size_t level,
                                     std::size_t levels, const char* key) {
  LS_CHECK(kConfig, lists.size() == 1 || lists.size() == levels,
           "MODEL.ANCHOR_GENERATOR.{} has {} lists; wanted 1, or {}: one for each of MODEL.RPN.IN_FEATURES", key,
           lists.size(), levels);
  return lists.size() == 1 ? lists[0] : lists[level];
}

std::vector<std::int64_t> as_ints(const std::vector<int>& values) { return {values.begin(), values.end()}; }

struct Predictions {
  std::vector<std::string> anchors;  // per level
  std::string logits;                // [N*R, 1]
  std::string deltas;                // [N*R, 4]
};

Predictions add_head(Model& model, const Config& config, const Features& features) {
  const RpnConfig& rpn = config.model.rpn;
  const AnchorGeneratorConfig& generator = config.model.anchor_generator;
  const std::string prefix = "proposal_generator.rpn_head.";
  Predictions predictions;
  std::vector<std::string> logits, deltas;
  const std::size_t levels = rpn.in_features.size();
  for (std::size_t i = 0; i < levels; ++i) {
    const auto found = features.find(rpn.in_features[i]);
    LS_CHECK(kConfig, found != features.end(), "MODEL.RPN.IN_FEATURES names '{}', which the backbone does not make",
             rpn.in_features[i]);
    const Feature& feature = found->second;
    const auto& sizes = for_level(generator.sizes, i, levels, "SIZES");
    const auto& ratios = for_level(generator.aspect_ratios, i, levels, "ASPECT_RATIOS");
    const int anchors = static_cast<int>(sizes.size() * ratios.size());
    const std::string suffix = "_" + rpn.in_features[i];
    const int hidden = rpn.conv_dims.size() == 1 && rpn.conv_dims[0] > 0 ? rpn.conv_dims[0] : feature.channels;
    LS_CHECK(kUnsupported, rpn.conv_dims.size() == 1, "MODEL.RPN.CONV_DIMS has {} entries; only one is supported",
             rpn.conv_dims.size());

    const auto head_conv = [&](const std::string& name, int in, int out, int kernel, bool relu) {
      return ConvLayer{.name = prefix + name,
                       .in_channels = in,
                       .out_channels = out,
                       .kernel = kernel,
                       .padding = kernel / 2,
                       .relu = relu,
                       .filler = gaussian_filler(0.01)};
    };
    // One head serves all levels: its parameters are declared at the first.
    const auto apply = [&](const ConvLayer& layer, const std::string& input) {
      return add_conv(model, layer, input, layer.name + suffix, i == 0);
    };
    const std::string x = apply(head_conv("conv", feature.channels, hidden, 3, true), feature.blob);
    logits.push_back(apply(head_conv("objectness_logits", hidden, anchors, 1, false), x));
    deltas.push_back(apply(head_conv("anchor_deltas", hidden, anchors * 4, 1, false), x));
    predictions.anchors.push_back(model.scoped("anchors" + suffix));
    model.net().add("Anchors", {feature.blob}, {predictions.anchors.back()},
                    {arg("sizes", sizes), arg("aspect_ratios", ratios), arg("stride", feature.stride),
                     arg("offset", generator.offset)});
  }
  predictions.logits = model.scoped("rpn_logits");
  predictions.deltas = model.scoped("rpn_deltas");
  model.net().add("ConcatPredictions", logits, {predictions.logits}, {arg("columns", 1)});
  model.net().add("ConcatPredictions", deltas, {predictions.deltas}, {arg("columns", 4)});
  return predictions;
}

void add_losses(Model& model, const Config& config, const Predictions& predictions, const Batch& batch,
                double loss_scale, Losses& losses) {
  const RpnConfig& rpn = config.model.rpn;
  NetBuilder& net = model.net();
  const std::string anchors = model.scoped("anchors");
  const std::string matches = model.scoped("rpn_matches");
  const std::string matched_gt = model.scoped("rpn_matched_gt");
  const std::string labels = model.scoped("rpn_labels");
  const std::string targets = model.scoped("rpn_targets");
  net.add("ConcatRows", predictions.anchors, {anchors});
  net.add("RpnMatch", {anchors, batch.gt_boxes, batch.gt_crowd, batch.gt_counts, batch.im_info}, {matches, matched_gt},
          {arg("iou_thresholds", rpn.iou_thresholds), arg("iou_labels", as_ints(rpn.iou_labels)),
           arg("boundary_thresh", rpn.boundary_thresh)});
  net.add("RpnSample", {matches, batch.sample_ids}, {labels},
          {arg("batch_size", rpn.batch_size_per_image), arg("positive_fraction", rpn.positive_fraction),
           arg("key", "rpn_sample")});
  net.add("BoxEncode", {anchors, matched_gt}, {targets}, {arg("weights", rpn.bbox_reg_weights)});

  // Detectron2 divides both losses by the number of sampled anchors it asks for, not by the number it got.
  const double normalizer =
      static_cast<double>(rpn.batch_size_per_image) * static_cast<double>(config.solver.ims_per_micro_batch);
  const std::string loss_cls = model.scoped("loss_rpn_cls");
  const std::string loss_loc = model.scoped("loss_rpn_loc");
  net.add("SigmoidCrossEntropyLoss", {predictions.logits, labels}, {loss_cls},
          {arg("normalizer", normalizer), arg("scale", loss_scale * rpn.loss_weight)});
  net.add("BoxRegressionLoss", {predictions.deltas, targets, labels}, {loss_loc},
          {arg("beta", rpn.smooth_l1_beta), arg("fg_low", 1), arg("fg_high", 2), arg("class_agnostic", 1),
           arg("normalizer", normalizer), arg("scale", loss_scale * rpn.loss_weight * rpn.bbox_reg_loss_weight)});
  losses.emplace_back("loss_rpn_cls", loss_cls);
  losses.emplace_back("loss_rpn_loc", loss_loc);
}

}  // namespace

std::string add_rpn(Model& model, const Config& config, const Features& features, const Batch& batch, double loss_scale,
                    Losses& losses) {
  const RpnConfig& rpn = config.model.rpn;
  const Predictions predictions = add_head(model, config, features);
  if (model.training()) add_losses(model, config, predictions, batch, loss_scale, losses);
  const std::string proposals = model.scoped("proposals");
  std::vector<std::string> inputs = {predictions.logits, predictions.deltas, batch.im_info};
  inputs.insert(inputs.end(), predictions.anchors.begin(), predictions.anchors.end());
  model.net().add("GenerateProposals", inputs, {proposals, model.scoped("proposal_scores")},
                  {arg("pre_nms_topk", model.training() ? rpn.pre_nms_topk_train : rpn.pre_nms_topk_test),
                   arg("post_nms_topk", model.training() ? rpn.post_nms_topk_train : rpn.post_nms_topk_test),
                   arg("nms_thresh", rpn.nms_thresh), arg("min_size", config.model.proposal_generator.min_size),
                   arg("weights", rpn.bbox_reg_weights)});
  return proposals;
}

}  // namespace lockstep
