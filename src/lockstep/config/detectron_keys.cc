// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/detectron_keys.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lockstep/base/text.h"

namespace lockstep {
namespace {

using enum DetectronMeaning;
using Default = std::optional<Value>;

Value::List list(std::initializer_list<Value> items) { return items; }

DetectronKey renamed(std::string path, std::string target, Default value = {}, std::string note = {}) {
  return {std::move(path), kRenamed, {std::move(target)}, std::move(value), std::move(note)};
}

DetectronKey joint(std::string path, std::vector<std::string> targets, Default value, std::string note) {
  return {std::move(path), kJoint, std::move(targets), std::move(value), std::move(note)};
}

DetectronKey only(std::string path, Value value, std::string note) {
  DetectronKey key{std::move(path), kOnly, {}, {}, std::move(note)};
  key.only = std::move(value);
  return key;
}

DetectronKey no_effect(std::string path, std::string note) {
  return {std::move(path), kNoEffect, {}, {}, std::move(note)};
}

DetectronKey refused(std::string path, std::vector<std::string> targets, std::string note) {
  return {std::move(path), kRefused, std::move(targets), {}, std::move(note)};
}

using Map = std::function<std::optional<Assignments>(const Value&)>;

DetectronKey mapped(std::string path, std::vector<std::string> targets, Default value, std::string note,
                    std::string wanted, Map map) {
  DetectronKey key{std::move(path), kMapped, std::move(targets), std::move(value), std::move(note)};
  key.wanted = std::move(wanted);
  key.map = std::move(map);
  return key;
}

// One target whose value follows from each of a few values.
DetectronKey chosen(std::string path, const std::string& target, Default value, std::string note,
                    std::vector<std::pair<Value, Value>> pairs) {
  std::vector<std::string> words;
  for (const auto& pair : pairs) words.push_back(to_flow_yaml(pair.first));
  return mapped(std::move(path), {target}, std::move(value), std::move(note), "one of " + join_words(words),
                [target, pairs = std::move(pairs)](const Value& in) -> std::optional<Assignments> {
                  for (const auto& pair : pairs) {
                    if (pair.first == in) return Assignments{{target, pair.second}};
                  }
                  return std::nullopt;
                });
}

std::optional<Assignments> classes_without_background(const Value& in) {
  const auto* count = std::get_if<std::int64_t>(&in.data);
  if (!count || *count < 2) return std::nullopt;
  return Assignments{{"MODEL.ROI_HEADS.NUM_CLASSES", Value(*count - 1)}};
}

// Detectron keeps the means as an array of shape (1, 1, 3).
std::optional<Assignments> pixel_means(const Value& in) {
  const Value* value = &in;
  for (int depth = 0; depth < 2; ++depth) {
    const auto* items = std::get_if<Value::List>(&value->data);
    if (items && items->size() == 1) value = &items->front();
  }
  const auto* items = std::get_if<Value::List>(&value->data);
  if (!items || items->size() != 3) return std::nullopt;
  return Assignments{{"MODEL.PIXEL_MEAN", *value}};
}

std::optional<Assignments> proposals(const Value& in) {
  const auto* has_rpn = std::get_if<bool>(&in.data);
  if (!has_rpn) return std::nullopt;
  return Assignments{{"MODEL.PROPOSAL_GENERATOR.NAME", Value(*has_rpn ? "RPN" : "PrecomputedProposals")},
                     {"MODEL.LOAD_PROPOSALS", Value(!*has_rpn)}};
}

std::optional<Assignments> one_test_scale(const Value& in) {
  const auto* items = std::get_if<Value::List>(&in.data);
  if (!items || items->size() != 1) return std::nullopt;
  return Assignments{{"INPUT.MIN_SIZE_TEST", items->front()}};
}

using Keys = std::vector<DetectronKey>;

void add_training(Keys& keys) {
  const std::string rest = "Detectron's older engine";
  const std::vector<std::string> roi = {"MODEL.ROI_HEADS.IOU_THRESHOLDS", "MODEL.ROI_HEADS.IOU_LABELS"};
  const std::vector<std::string> rpn = {"MODEL.RPN.IOU_THRESHOLDS", "MODEL.RPN.IOU_LABELS"};
  keys.insert(
      keys.end(),
      {renamed("TRAIN.WEIGHTS", "MODEL.WEIGHTS", Value("")),
       renamed("TRAIN.DATASETS", "DATASETS.TRAIN"),
       renamed("TRAIN.SCALES", "INPUT.MIN_SIZE_TRAIN", list({600})),
       renamed("TRAIN.MAX_SIZE", "INPUT.MAX_SIZE_TRAIN", 1000),
       joint("TRAIN.IMS_PER_BATCH", {"SOLVER.IMS_PER_BATCH"}, 2, "images of one worker, times NUM_GPUS"),
       renamed("TRAIN.BATCH_SIZE_PER_IM", "MODEL.ROI_HEADS.BATCH_SIZE_PER_IMAGE", 64),
       renamed("TRAIN.FG_FRACTION", "MODEL.ROI_HEADS.POSITIVE_FRACTION", 0.25),
       joint("TRAIN.FG_THRESH", roi, 0.5, "with BG_THRESH_HI, BG_THRESH_LO and BBOX_THRESH"),
       joint("TRAIN.BG_THRESH_HI", roi, 0.5, "with FG_THRESH, BG_THRESH_LO and BBOX_THRESH"),
       joint("TRAIN.BG_THRESH_LO", roi, 0.0, "with FG_THRESH, BG_THRESH_HI and BBOX_THRESH"),
       joint("TRAIN.BBOX_THRESH", roi, 0.5, "every foreground region has a box loss here: at most FG_THRESH"),
       chosen("TRAIN.USE_FLIPPED", "INPUT.RANDOM_FLIP", true,
              "a flip with probability 1/2 instead of a second copy of the data set",
              {{true, "horizontal"}, {false, "none"}}),
       joint("TRAIN.SNAPSHOT_ITERS", {"SOLVER.CHECKPOINT_PERIOD"}, 20000, "divided by NUM_GPUS, rounded down"),
       renamed("TRAIN.PROPOSAL_FILES", "DATASETS.PROPOSAL_FILES_TRAIN"),
       renamed("TRAIN.ASPECT_GROUPING", "DATALOADER.ASPECT_RATIO_GROUPING", true),
       joint("TRAIN.RPN_POSITIVE_OVERLAP", rpn, 0.7, "with RPN_NEGATIVE_OVERLAP"),
       joint("TRAIN.RPN_NEGATIVE_OVERLAP", rpn, 0.3, "with RPN_POSITIVE_OVERLAP"),
       renamed("TRAIN.RPN_FG_FRACTION", "MODEL.RPN.POSITIVE_FRACTION", 0.5),
       renamed("TRAIN.RPN_BATCH_SIZE_PER_IM", "MODEL.RPN.BATCH_SIZE_PER_IMAGE", 256),
       joint("TRAIN.RPN_NMS_THRESH", {"MODEL.RPN.NMS_THRESH"}, 0.7, "the same as TEST.RPN_NMS_THRESH"),
       renamed("TRAIN.RPN_PRE_NMS_TOP_N", "MODEL.RPN.PRE_NMS_TOPK_TRAIN", 12000),
       renamed("TRAIN.RPN_POST_NMS_TOP_N", "MODEL.RPN.POST_NMS_TOPK_TRAIN", 2000,
               "per image (Detectron: per worker, with FPN)"),
       renamed("TRAIN.RPN_STRADDLE_THRESH", "MODEL.RPN.BOUNDARY_THRESH", 0),
       only("TRAIN.RPN_MIN_SIZE", 0,
            "MODEL.PROPOSAL_GENERATOR.MIN_SIZE counts pixels of the network's input, this one those of the image"),
       no_effect("TRAIN.CROWD_FILTER_THRESH", "only proposals of files are compared with crowds"),
       only("TRAIN.GT_MIN_AREA", -1, "no box is left out by its area"),
       only("TRAIN.FREEZE_CONV_BODY", false, "MODEL.BACKBONE.FREEZE_AT 5 freezes the stages, but not the pyramid"),
       renamed("TRAIN.FREEZE_AT", "MODEL.BACKBONE.FREEZE_AT"),
       no_effect("TRAIN.AUTO_RESUME", "`lockstep train --resume` goes on with a run"),
       refused("TRAIN.DATASET", {"DATASETS.TRAIN"}, "Detectron renamed it to TRAIN.DATASETS, a list"),
       refused("TRAIN.PROPOSAL_FILE", {"DATASETS.PROPOSAL_FILES_TRAIN"},
               "Detectron renamed it to TRAIN.PROPOSAL_FILES, a list"),
       no_effect("TRAIN.BBOX_NORMALIZE_TARGETS_PRECOMPUTED", "Detectron ignores it too"),
       no_effect("TRAIN.DROPOUT", "Detectron ignores it too"),
       renamed("TRAIN.MINIBATCH_QUEUE_SIZE", "DATALOADER.MINIBATCH_QUEUE_SIZE", {}, rest),
       renamed("DATA_LOADER.NUM_THREADS", "DATALOADER.NUM_WORKERS", 4),
       renamed("DATA_LOADER.NUM_WORKERS", "DATALOADER.NUM_WORKERS"),
       renamed("DATA_LOADER.MINIBATCH_QUEUE_SIZE", "DATALOADER.MINIBATCH_QUEUE_SIZE", 64),
       renamed("DATA_LOADER.BLOBS_QUEUE_CAPACITY", "DATALOADER.BLOBS_QUEUE_CAPACITY", 8)});
}

void add_evaluation(Keys& keys) {
  const std::string augmentation = "only used with TEST.BBOX_AUG.ENABLED, which cannot be run";
  keys.insert(
      keys.end(),
      {no_effect("TEST.WEIGHTS", "`lockstep eval` and `lockstep predict` are told the weights"),
       renamed("TEST.DATASETS", "DATASETS.TEST"),
       renamed("TEST.SCALE", "INPUT.MIN_SIZE_TEST", 600),
       mapped("TEST.SCALES", {"INPUT.MIN_SIZE_TEST"}, {}, "the older name of TEST.SCALE", "a list of one size",
              one_test_scale),
       renamed("TEST.MAX_SIZE", "INPUT.MAX_SIZE_TEST", 1000),
       renamed("TEST.NMS", "MODEL.ROI_HEADS.NMS_THRESH_TEST", 0.3),
       only("TEST.BBOX_REG", true, "boxes are always regressed"),
       renamed("TEST.PROPOSAL_FILES", "DATASETS.PROPOSAL_FILES_TEST"),
       renamed("TEST.PROPOSAL_LIMIT", "DATASETS.PRECOMPUTED_PROPOSAL_TOPK_TEST", 2000),
       joint("TEST.RPN_NMS_THRESH", {"MODEL.RPN.NMS_THRESH"}, 0.7, "the same as TRAIN.RPN_NMS_THRESH"),
       renamed("TEST.RPN_PRE_NMS_TOP_N", "MODEL.RPN.PRE_NMS_TOPK_TEST", 12000),
       renamed("TEST.RPN_POST_NMS_TOP_N", "MODEL.RPN.POST_NMS_TOPK_TEST", 2000),
       only("TEST.RPN_MIN_SIZE", 0,
            "MODEL.PROPOSAL_GENERATOR.MIN_SIZE counts pixels of the network's input, this one those of the image"),
       renamed("TEST.DETECTIONS_PER_IM", "TEST.DETECTIONS_PER_IMAGE", 100),
       renamed("TEST.SCORE_THRESH", "MODEL.ROI_HEADS.SCORE_THRESH_TEST", 0.05),
       no_effect("TEST.COMPETITION_MODE", "`lockstep eval` keeps its detections"),
       no_effect("TEST.FORCE_JSON_DATASET_EVAL", "every data set is evaluated by COCO's rules"),
       no_effect("TEST.PRECOMPUTED_PROPOSALS", "Detectron infers it too"),
       renamed("TEST.BBOX_AUG.ENABLED", "TEST.AUG.ENABLED", false),
       refused("TEST.DATASET", {"DATASETS.TEST"}, "Detectron renamed it to TEST.DATASETS, a list"),
       refused("TEST.PROPOSAL_FILE", {"DATASETS.PROPOSAL_FILES_TEST"},
               "Detectron renamed it to TEST.PROPOSAL_FILES, a list"),
       no_effect("TEST.NUM_TEST_IMAGES", "Detectron ignores it too")});
  for (const char* name : {"SCORE_HEUR", "COORD_HEUR", "H_FLIP", "SCALES", "MAX_SIZE", "SCALE_H_FLIP", "SCALE_SIZE_DEP",
                           "AREA_TH_LO", "AREA_TH_HI", "ASPECT_RATIOS", "ASPECT_RATIO_H_FLIP"}) {
    keys.push_back(no_effect(std::string("TEST.BBOX_AUG.") + name, augmentation));
  }
  for (const std::string kind : {"MASK_AUG", "KPS_AUG"}) {
    keys.push_back(only("TEST." + kind + ".ENABLED", false, "test-time augmentation cannot be run"));
    for (const char* name : {"HEUR", "H_FLIP", "SCALES", "MAX_SIZE", "SCALE_H_FLIP", "SCALE_SIZE_DEP", "AREA_TH",
                             "ASPECT_RATIOS", "ASPECT_RATIO_H_FLIP"}) {
      keys.push_back(no_effect("TEST." + kind + "." + name, "only used with TEST." + kind + ".ENABLED"));
    }
  }
  keys.push_back(only("TEST.SOFT_NMS.ENABLED", false, "soft NMS cannot be run"));
  for (const char* name : {"METHOD", "SIGMA"}) {
    keys.push_back(no_effect(std::string("TEST.SOFT_NMS.") + name, "only used with TEST.SOFT_NMS.ENABLED"));
  }
  keys.push_back(only("TEST.BBOX_VOTE.ENABLED", false, "box voting cannot be run"));
  for (const char* name : {"VOTE_TH", "SCORING_METHOD", "SCORING_METHOD_BETA"}) {
    keys.push_back(no_effect(std::string("TEST.BBOX_VOTE.") + name, "only used with TEST.BBOX_VOTE.ENABLED"));
  }
}

void add_model(Keys& keys) {
  const std::vector<std::string> body = {"MODEL.BACKBONE.NAME", "MODEL.RESNETS.DEPTH", "MODEL.RESNETS.OUT_FEATURES",
                                         "MODEL.FPN.IN_FEATURES"};
  const std::vector<std::string> head = {"MODEL.ROI_HEADS.NAME", "MODEL.ROI_BOX_HEAD.NAME",
                                         "MODEL.ROI_BOX_HEAD.NUM_CONV", "MODEL.ROI_BOX_HEAD.NUM_FC",
                                         "MODEL.ROI_BOX_HEAD.NORM"};
  const std::vector<std::string> sizes = {"MODEL.ANCHOR_GENERATOR.SIZES"};
  const std::vector<std::string> ratios = {"MODEL.ANCHOR_GENERATOR.ASPECT_RATIOS"};
  const std::vector<std::string> rpn_levels = {"MODEL.RPN.IN_FEATURES", "MODEL.ANCHOR_GENERATOR.SIZES"};
  const std::vector<std::string> roi_levels = {"MODEL.ROI_HEADS.IN_FEATURES"};
  const std::vector<std::string> norm = {"MODEL.RESNETS.NORM"};
  const std::string beside = "read beside MODEL.CONV_BODY";
  keys.insert(
      keys.end(),
      {chosen("MODEL.TYPE", "MODEL.META_ARCHITECTURE", {}, "",
              {{"generalized_rcnn", "GeneralizedRCNN"}, {"retinanet", "RetinaNet"}, {"rpn", "ProposalNetwork"}}),
       joint("MODEL.CONV_BODY", body, {},
             "a recipe that states it is one of Detectron as a whole: what it leaves out has Detectron's default"),
       mapped("MODEL.NUM_CLASSES", {"MODEL.ROI_HEADS.NUM_CLASSES"}, {}, "one less, without the background",
              "a whole number of at least 2 (the classes and the background)", classes_without_background),
       renamed("MODEL.CLS_AGNOSTIC_BBOX_REG", "MODEL.ROI_BOX_HEAD.CLS_AGNOSTIC_BBOX_REG", false),
       renamed("MODEL.BBOX_REG_WEIGHTS", "MODEL.ROI_BOX_HEAD.BBOX_REG_WEIGHTS", list({10.0, 10.0, 5.0, 5.0})),
       mapped("MODEL.FASTER_RCNN", {"MODEL.PROPOSAL_GENERATOR.NAME", "MODEL.LOAD_PROPOSALS"}, false,
              "true: proposals of an RPN; false: proposals of files", "true or false", proposals),
       renamed("MODEL.KEYPOINTS_ON", "MODEL.KEYPOINT_ON", false),
       only("MODEL.RPN_ONLY", false, "MODEL.META_ARCHITECTURE ProposalNetwork is Detectron2's name for it"),
       no_effect("MODEL.DILATION", "Detectron ignores it too"),
       refused("MODEL.PS_GRID_SIZE", {}, "R-FCN cannot be run"),
       refused("MODEL.ROI_HEAD", {"MODEL.ROI_BOX_HEAD.NAME"}, "Detectron renamed it to FAST_RCNN.ROI_BOX_HEAD"),
       joint("FAST_RCNN.ROI_BOX_HEAD", head, {}, "with NUM_STACKED_CONVS, " + beside),
       renamed("FAST_RCNN.MLP_HEAD_DIM", "MODEL.ROI_BOX_HEAD.FC_DIM", 1024),
       renamed("FAST_RCNN.CONV_HEAD_DIM", "MODEL.ROI_BOX_HEAD.CONV_DIM", 256),
       joint("FAST_RCNN.NUM_STACKED_CONVS", {"MODEL.ROI_BOX_HEAD.NUM_CONV"}, 4, "with ROI_BOX_HEAD, " + beside),
       chosen("FAST_RCNN.ROI_XFORM_METHOD", "MODEL.ROI_BOX_HEAD.POOLER_TYPE", "RoIPoolF", "",
              {{"RoIAlign", "ROIAlign"}, {"RoIPool", "ROIPool"}, {"RoIPoolF", "ROIPool"}}),
       renamed("FAST_RCNN.ROI_XFORM_SAMPLING_RATIO", "MODEL.ROI_BOX_HEAD.POOLER_SAMPLING_RATIO", 0),
       renamed("FAST_RCNN.ROI_XFORM_RESOLUTION", "MODEL.ROI_BOX_HEAD.POOLER_RESOLUTION", 14),
       no_effect("RPN.RPN_ON", "Detectron infers it too"),
       no_effect("RPN.ON", "Detectron ignores it too"),
       joint("RPN.SIZES", sizes, list({64, 128, 256, 512}), "without FPN, " + beside),
       joint("RPN.STRIDE", {"MODEL.RPN.IN_FEATURES"}, 16, "without FPN, " + beside),
       joint("RPN.ASPECT_RATIOS", ratios, list({0.5, 1, 2}), "without FPN, " + beside),
       joint("FPN.FPN_ON", {"MODEL.BACKBONE.NAME"}, false, "must agree with MODEL.CONV_BODY"),
       renamed("FPN.DIM", "MODEL.FPN.OUT_CHANNELS", 256),
       only("FPN.ZERO_INIT_LATERAL", false, "lateral convolutions begin with random weights"),
       no_effect("FPN.COARSEST_STRIDE", "the padding follows from the levels in use"),
       joint("FPN.MULTILEVEL_ROIS", roi_levels, false, "must agree with FPN_ON, " + beside),
       only("FPN.ROI_CANONICAL_SCALE", 224, "the scale of the FPN paper"),
       only("FPN.ROI_CANONICAL_LEVEL", 4, "the level of the FPN paper"),
       joint("FPN.ROI_MAX_LEVEL", roi_levels, 5, beside),
       joint("FPN.ROI_MIN_LEVEL", roi_levels, 2, beside),
       joint("FPN.MULTILEVEL_RPN", rpn_levels, false, "must agree with FPN_ON, " + beside),
       joint("FPN.RPN_MAX_LEVEL", rpn_levels, 6, beside),
       joint("FPN.RPN_MIN_LEVEL", rpn_levels, 2, beside),
       joint("FPN.RPN_ASPECT_RATIOS", ratios, list({0.5, 1, 2}), beside),
       joint("FPN.RPN_ANCHOR_START_SIZE", sizes, 32, "doubled from level to level, " + beside),
       only("FPN.EXTRA_CONV_LEVELS", false, "the levels above res5 are pooled"),
       chosen("FPN.USE_GN", "MODEL.FPN.NORM", false, "", {{true, "GN"}, {false, ""}}),
       renamed("RESNETS.NUM_GROUPS", "MODEL.RESNETS.NUM_GROUPS", 1),
       renamed("RESNETS.WIDTH_PER_GROUP", "MODEL.RESNETS.WIDTH_PER_GROUP", 64),
       renamed("RESNETS.STRIDE_1X1", "MODEL.RESNETS.STRIDE_IN_1X1", true),
       joint("RESNETS.TRANS_FUNC", norm, "bottleneck_transformation", "with STEM_FUNC and SHORTCUT_FUNC"),
       joint("RESNETS.STEM_FUNC", norm, "basic_bn_stem", "with TRANS_FUNC and SHORTCUT_FUNC"),
       joint("RESNETS.SHORTCUT_FUNC", norm, "basic_bn_shortcut", "with TRANS_FUNC and STEM_FUNC"),
       renamed("RESNETS.RES5_DILATION", "MODEL.RESNETS.RES5_DILATION", 1),
       only("GROUP_NORM.DIM_PER_GP", -1, "MODEL.GN_NUM_GROUPS counts groups"),
       renamed("GROUP_NORM.NUM_GROUPS", "MODEL.GN_NUM_GROUPS", 32),
       only("GROUP_NORM.EPSILON", 1e-5, "the constant of group normalisation is fixed"),
       refused("RFCN.PS_GRID_SIZE", {}, "R-FCN cannot be run"),
       only("RETINANET.RETINANET_ON", false, "MODEL.META_ARCHITECTURE RetinaNet is Detectron2's name for it"),
       refused("MRCNN.MASK_HEAD_NAME", {"MODEL.ROI_MASK_HEAD.NAME"}, "Detectron renamed it to MRCNN.ROI_MASK_HEAD")});
  for (const char* name :
       {"ASPECT_RATIOS", "SCALES_PER_OCTAVE", "ANCHOR_SCALE", "NUM_CONVS", "BBOX_REG_WEIGHT", "BBOX_REG_BETA",
        "PRE_NMS_TOP_N", "POSITIVE_OVERLAP", "NEGATIVE_OVERLAP", "LOSS_ALPHA", "LOSS_GAMMA", "PRIOR_PROB",
        "SHARE_CLS_BBOX_TOWER", "CLASS_SPECIFIC_BBOX", "SOFTMAX", "INFERENCE_TH"}) {
    keys.push_back(no_effect(std::string("RETINANET.") + name, "only used with RETINANET.RETINANET_ON"));
  }
  for (const char* name : {"ROI_MASK_HEAD", "RESOLUTION", "ROI_XFORM_METHOD", "ROI_XFORM_RESOLUTION",
                           "ROI_XFORM_SAMPLING_RATIO", "DIM_REDUCED", "DILATION", "UPSAMPLE_RATIO", "USE_FC_OUTPUT",
                           "CONV_INIT", "CLS_SPECIFIC_MASK", "WEIGHT_LOSS_MASK", "THRESH_BINARIZE"}) {
    keys.push_back(no_effect(std::string("MRCNN.") + name, "only used with MODEL.MASK_ON, which cannot be run"));
  }
  for (const char* name : {"ROI_KEYPOINTS_HEAD",
                           "HEATMAP_SIZE",
                           "UP_SCALE",
                           "USE_DECONV",
                           "DECONV_DIM",
                           "USE_DECONV_OUTPUT",
                           "DILATION",
                           "DECONV_KERNEL",
                           "NUM_KEYPOINTS",
                           "NUM_STACKED_CONVS",
                           "CONV_HEAD_DIM",
                           "CONV_HEAD_KERNEL",
                           "CONV_INIT",
                           "NMS_OKS",
                           "KEYPOINT_CONFIDENCE",
                           "ROI_XFORM_METHOD",
                           "ROI_XFORM_RESOLUTION",
                           "ROI_XFORM_SAMPLING_RATIO",
                           "MIN_KEYPOINT_COUNT_FOR_VALID_MINIBATCH",
                           "INFERENCE_MIN_SIZE",
                           "LOSS_WEIGHT",
                           "NORMALIZE_BY_VISIBLE_KEYPOINTS"}) {
    keys.push_back(no_effect(std::string("KRCNN.") + name, "only used with MODEL.KEYPOINTS_ON, which cannot be run"));
  }
}

void add_solver_and_run(Keys& keys) {
  keys.insert(keys.end(),
              {renamed("SOLVER.LR_POLICY", "SOLVER.LR_SCHEDULER_NAME", "step"),
               renamed("SOLVER.WEIGHT_DECAY_GN", "SOLVER.WEIGHT_DECAY_NORM", 0.0),
               renamed("SOLVER.WARM_UP_ITERS", "SOLVER.WARMUP_ITERS", 500),
               renamed("SOLVER.WARM_UP_FACTOR", "SOLVER.WARMUP_FACTOR", 1.0 / 3.0),
               renamed("SOLVER.WARM_UP_METHOD", "SOLVER.WARMUP_METHOD", "linear"),
               no_effect("SOLVER.LOG_LR_CHANGE_THRESHOLD", "metrics.jsonl holds every learning rate"),
               joint("NUM_GPUS", {"SOLVER.IMS_PER_BATCH", "SOLVER.CHECKPOINT_PERIOD"}, 1,
                     "with TRAIN.IMS_PER_BATCH and TRAIN.SNAPSHOT_ITERS; the number of workers is `--workers`"),
               no_effect("USE_NCCL", "SOLVER.COLLECTIVE says how gradients are summed"),
               renamed("NUM_WORKERS", "DATALOADER.NUM_WORKERS", {}, "Detectron's older engine"),
               no_effect("DEDUP_BOXES", "only saves time on equal proposals"),
               only("BBOX_XFORM_CLIP", std::log(1000.0 / 16.0), "log(1000 / 16)"),
               mapped("PIXEL_MEANS", {"MODEL.PIXEL_MEAN"}, Value(list({102.9801, 115.9465, 122.7717})), "",
                      "three numbers in the order BGR", pixel_means),
               renamed("RNG_SEED", "SEED", 3),
               no_effect("EPS", "guards quotients of Detectron's own code"),
               no_effect("ROOT_DIR", "paths are relative to the working directory"),
               no_effect("MATLAB", "no evaluation needs it"),
               no_effect("MEMONGER", "memory, not results"),
               no_effect("MEMONGER_SHARE_ACTIVATIONS", "memory, not results"),
               no_effect("VIS", "`lockstep predict --draw` draws detections"),
               no_effect("VIS_TH", "`lockstep predict --draw` draws detections"),
               no_effect("EXPECTED_RESULTS", "what Detectron's own tests compare with"),
               no_effect("EXPECTED_RESULTS_RTOL", "what Detectron's own tests compare with"),
               no_effect("EXPECTED_RESULTS_ATOL", "what Detectron's own tests compare with"),
               no_effect("EXPECTED_RESULTS_EMAIL", "what Detectron's own tests compare with"),
               no_effect("DOWNLOAD_CACHE", "nothing is downloaded"),
               no_effect("CLUSTER.ON_CLUSTER", "a run does not depend on it"),
               no_effect("CLUSTER.AUTO_RESUME", "`lockstep train --resume` goes on with a run"),
               no_effect("FINAL_MSG", "Detectron ignores it too"),
               no_effect("USE_GPU_NMS", "Detectron ignores it too")});
}

Keys build() {
  Keys keys;
  add_training(keys);
  add_evaluation(keys);
  add_model(keys);
  add_solver_and_run(keys);
  return keys;
}

}  // namespace

const std::vector<DetectronKey>& detectron_keys() {
  static const Keys keys = build();
  return keys;
}

const DetectronKey* find_detectron_key(std::string_view path) {
  const auto& keys = detectron_keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const DetectronKey& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
}

bool is_detectron_section(std::string_view path) {
  const std::string prefix = std::string(path) + ".";
  const auto& keys = detectron_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const DetectronKey& key) { return key.path.starts_with(prefix); });
}

std::string describe_meaning(const DetectronKey& key) {
  const auto with_note = [&](std::string text) { return key.note.empty() ? text : text + " (" + key.note + ")"; };
  switch (key.meaning) {
    case kRenamed:
    case kMapped:
    case kJoint: return with_note(join_words(key.targets));
    case kOnly: return with_note("only " + to_flow_yaml(*key.only));
    case kNoEffect: return with_note("no effect");
    case kRefused: return with_note(key.targets.empty() ? "refused" : "refused; write " + join_words(key.targets));
  }
  return key.note;
}

// Sources: core/config.py, utils/lr_policy.py, modeling/rpn_heads.py (beta 1/9) and modeling/fast_rcnn_heads.py (beta
// 1) of Detectron; Detectron2 states the same differences in configs/Detectron1-Comparisons.
const Assignments& detectron_implied() {
  static const Assignments implied = {{"SOLVER.UPDATE_RULE", "detectron"},
                                      {"SOLVER.WEIGHT_DECAY", 0.0005},
                                      {"SOLVER.STEP_SIZE", 30000},
                                      {"SOLVER.STEPS", Value::List{}},
                                      {"MODEL.RPN.SMOOTH_L1_BETA", 1.0 / 9.0},
                                      {"MODEL.ROI_BOX_HEAD.SMOOTH_L1_BETA", 1.0},
                                      {"INPUT.FORMAT", "BGR"}};
  return implied;
}

}  // namespace lockstep
