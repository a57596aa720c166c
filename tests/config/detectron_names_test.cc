// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/detectron_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "config/config_test_support.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/load.h"
#include "lockstep/config/support.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::TemporaryFolder;

// The shape of Detectron's end-to-end baselines.
constexpr char kBaseline[] = R"(MODEL:
  TYPE: generalized_rcnn
  CONV_BODY: FPN.add_fpn_ResNet50_conv5_body
  NUM_CLASSES: 81
  FASTER_RCNN: True
NUM_GPUS: 8
SOLVER:
  WEIGHT_DECAY: 0.0001
  LR_POLICY: steps_with_decay
  BASE_LR: 0.02
  GAMMA: 0.1
  MAX_ITER: 90000
  STEPS: [0, 60000, 80000]
FPN: {FPN_ON: True, MULTILEVEL_ROIS: True, MULTILEVEL_RPN: True}
FAST_RCNN:
  ROI_BOX_HEAD: fast_rcnn_heads.add_roi_2mlp_head
  ROI_XFORM_METHOD: RoIAlign
  ROI_XFORM_RESOLUTION: 7
  ROI_XFORM_SAMPLING_RATIO: 2
TRAIN:
  WEIGHTS: R-50.pkl
  DATASETS: ('first', 'second')
  SCALES: (800,)
  MAX_SIZE: 1333
  BATCH_SIZE_PER_IM: 512
  RPN_PRE_NMS_TOP_N: 2000
TEST:
  DATASETS: ('third',)
  SCALES: (800,)
  MAX_SIZE: 1333
  NMS: 0.5
  RPN_PRE_NMS_TOP_N: 1000
  RPN_POST_NMS_TOP_N: 1000
OUTPUT_DIR: .
)";

Config read(const std::string& text) { return config_from_yaml(text, "a.yaml"); }
std::string error(const std::string& text) {
  return error_of([&] { read(text); });
}
Config with(const std::vector<std::string>& overrides) {
  Config config;
  apply_overrides(config, overrides);
  return config;
}
std::string override_error(const std::vector<std::string>& overrides) {
  return error_of([&] { with(overrides); });
}

TEST(DetectronNames, AWholeRecipeMeansTheSame) {
  const TemporaryFolder folder;
  const Config config = load_config(folder.write("a.yaml", kBaseline));
  EXPECT_EQ(diff_yaml(config), R"(OUTPUT_DIR: "."
SEED: 3
DATASETS:
  TRAIN: [first, second]
  TEST: [third]
  PRECOMPUTED_PROPOSAL_TOPK_TEST: 2000
MODEL:
  WEIGHTS: R-50.pkl
  PIXEL_MEAN: [102.9801, 115.9465, 122.7717]
  BACKBONE:
    NAME: build_resnet_fpn_backbone
  RESNETS:
    OUT_FEATURES: [res2, res3, res4, res5]
  FPN:
    IN_FEATURES: [res2, res3, res4, res5]
  ANCHOR_GENERATOR:
    SIZES: [[32.0], [64.0], [128.0], [256.0], [512.0]]
  RPN:
    IN_FEATURES: [p2, p3, p4, p5, p6]
    BOUNDARY_THRESH: 0.0
    SMOOTH_L1_BETA: 0.1111111111111111
    PRE_NMS_TOPK_TRAIN: 2000
    PRE_NMS_TOPK_TEST: 1000
  ROI_HEADS:
    NAME: StandardROIHeads
    NUM_CLASSES: 80
    IN_FEATURES: [p2, p3, p4, p5]
  ROI_BOX_HEAD:
    NAME: FastRCNNConvFCHead
    SMOOTH_L1_BETA: 1.0
    POOLER_RESOLUTION: 7
    POOLER_SAMPLING_RATIO: 2
    POOLER_TYPE: ROIAlign
    NUM_FC: 2
SOLVER:
  MAX_ITER: 90000
  BASE_LR: 0.02
  LR_SCHEDULER_NAME: steps_with_decay
  STEPS: [0, 60000, 80000]
  STEP_SIZE: 30000
  WARMUP_ITERS: 500
  WARMUP_FACTOR: 0.3333333333333333
  UPDATE_RULE: detectron
  CHECKPOINT_PERIOD: 2500
)");
  EXPECT_NO_THROW(check_supported(config));
  // Equal to Detectron2's defaults, so not in the difference.
  EXPECT_EQ(config.solver.ims_per_batch, 16);
  EXPECT_EQ(config.solver.weight_decay, 0.0001);
  EXPECT_EQ(config.model.resnets.norm, "FrozenBN");
  EXPECT_EQ(config.input.min_size_train, std::vector<int>{800});
  EXPECT_EQ(config.notices.size(), 24U);
  EXPECT_EQ(config.notices.front().substr(config.notices.front().rfind("a.yaml")),
            "a.yaml:2:3: Detectron's MODEL.TYPE -> MODEL.META_ARCHITECTURE GeneralizedRCNN");
}

TEST(DetectronNames, AWholeRecipeLeavesDetectronsDefaults) {
  const Config config = read(
      "MODEL: {CONV_BODY: ResNet.add_ResNet101_conv4_body, FASTER_RCNN: True}\n"
      "FAST_RCNN: {ROI_BOX_HEAD: ResNet.add_ResNet_roi_conv5_head}\n");
  EXPECT_EQ(config.model.backbone.name, "build_resnet_backbone");
  EXPECT_EQ(config.model.resnets.depth, 101);
  EXPECT_EQ(config.model.roi_heads.name, "Res5ROIHeads");
  EXPECT_THAT(config.model.anchor_generator.sizes, ElementsAre(ElementsAre(64, 128, 256, 512)));
  EXPECT_EQ(config.model.roi_heads.batch_size_per_image, 64);
  EXPECT_EQ(config.model.roi_heads.nms_thresh_test, 0.3);
  EXPECT_EQ(config.model.roi_box_head.pooler_type, "ROIPool");
  EXPECT_EQ(config.input.min_size_train, std::vector<int>{600});
  EXPECT_EQ(config.input.max_size_test, 1000);
  EXPECT_EQ(config.solver.ims_per_batch, 2);
  EXPECT_EQ(config.solver.checkpoint_period, TrainingTime(20000));
  EXPECT_EQ(config.solver.weight_decay, 0.0005);
  EXPECT_EQ(config.solver.lr_scheduler_name, "step");
  EXPECT_TRUE(config.solver.steps.empty());
}

TEST(DetectronNames, ReadGroupNormalisationAndStackedConvolutions) {
  const Config config = read(std::string(kBaseline) +
                             "RESNETS: {TRANS_FUNC: bottleneck_gn_transformation, STEM_FUNC: basic_gn_stem, "
                             "SHORTCUT_FUNC: basic_gn_shortcut, STRIDE_1X1: False}\n");
  EXPECT_EQ(config.model.resnets.norm, "GN");
  EXPECT_FALSE(config.model.resnets.stride_in_1x1);
  std::string text = kBaseline;
  text.replace(text.find("add_roi_2mlp_head"), 17, "add_roi_Xconv1fc_gn_head");
  const Config convs = read(text);
  EXPECT_EQ(convs.model.roi_box_head.num_conv, 4);
  EXPECT_EQ(convs.model.roi_box_head.num_fc, 1);
  EXPECT_EQ(convs.model.roi_box_head.norm, "GN");
}

TEST(DetectronNames, SingleNamesAreTranslatedInAnyRecipe) {
  const Config config = with({"DATA_LOADER.NUM_THREADS",
                              "7",
                              "DATA_LOADER.MINIBATCH_QUEUE_SIZE",
                              "9",
                              "DATA_LOADER.BLOBS_QUEUE_CAPACITY",
                              "5",
                              "SOLVER.WARM_UP_ITERS",
                              "250",
                              "TRAIN.DATASETS",
                              "('a', 'b')",
                              "USE_NCCL",
                              "True",
                              "RNG_SEED",
                              "4",
                              "PIXEL_MEANS",
                              "[[[1.0, 2.0, 3.0]]]",
                              "TRAIN.USE_FLIPPED",
                              "False",
                              "TRAIN.PROPOSAL_FILES",
                              "('p',)",
                              "TEST.DETECTIONS_PER_IM",
                              "20",
                              "MODEL.NUM_CLASSES",
                              "4",
                              "TRAIN.RPN_MIN_SIZE",
                              "0.0"});
  EXPECT_EQ(config.dataloader.num_workers, 7);
  EXPECT_EQ(config.dataloader.minibatch_queue_size, 9);
  EXPECT_EQ(config.dataloader.blobs_queue_capacity, 5);
  EXPECT_EQ(config.solver.warmup_iters, TrainingTime(250));
  EXPECT_THAT(config.datasets.train, ElementsAre("a", "b"));
  EXPECT_THAT(config.datasets.proposal_files_train, ElementsAre("p"));
  EXPECT_EQ(config.seed, 4);
  EXPECT_THAT(config.model.pixel_mean, ElementsAre(1, 2, 3));
  EXPECT_EQ(config.input.random_flip, "none");
  EXPECT_EQ(config.test.detections_per_image, 20);
  EXPECT_EQ(config.model.roi_heads.num_classes, 3);
  EXPECT_EQ(config.solver.update_rule, "detectron2") << "only a whole recipe selects the rule";
  EXPECT_EQ(config.solver.warmup_factor, Config{}.solver.warmup_factor);
  EXPECT_EQ(config.notices[5],
            "override 11: Detectron's USE_NCCL: no effect (SOLVER.COLLECTIVE says how gradients are summed)");
}

TEST(DetectronNames, ThresholdsBecomeIntervals) {
  const auto roi = [](const std::string& foreground, const std::string& high, const std::string& low) {
    const Config config = with({"TRAIN.FG_THRESH", foreground, "TRAIN.BG_THRESH_HI", high, "TRAIN.BG_THRESH_LO", low,
                                "TRAIN.BBOX_THRESH", "0.5"});
    return std::pair(config.model.roi_heads.iou_thresholds, config.model.roi_heads.iou_labels);
  };
  using Intervals = std::pair<std::vector<double>, std::vector<int>>;
  EXPECT_EQ(roi("0.5", "0.5", "0.0"), (Intervals{{0.5}, {0, 1}}));
  EXPECT_EQ(roi("0.6", "0.5", "0"), (Intervals{{0.5, 0.6}, {0, -1, 1}}));
  EXPECT_EQ(roi("0.5", "0.5", "0.1"), (Intervals{{0.1, 0.5}, {-1, 0, 1}}));
  EXPECT_EQ(roi("0.6", "0.5", "0.1"), (Intervals{{0.1, 0.5, 0.6}, {-1, 0, -1, 1}}));
  const Config rpn = with({"TRAIN.RPN_POSITIVE_OVERLAP=0.5", "TRAIN.RPN_NEGATIVE_OVERLAP=0.5"});
  EXPECT_THAT(rpn.model.rpn.iou_thresholds, ElementsAre(0.5));
  EXPECT_THAT(rpn.model.rpn.iou_labels, ElementsAre(0, 1));
}

TEST(DetectronNames, ImagesPerWorkerBecomeTheBatch) {
  const Config config = with({"NUM_GPUS", "3", "TRAIN.IMS_PER_BATCH", "4", "TRAIN.SNAPSHOT_ITERS", "100"});
  EXPECT_EQ(config.solver.ims_per_batch, 12);
  EXPECT_EQ(config.solver.checkpoint_period, TrainingTime(33));
  EXPECT_EQ(config.solver.reference_world_size, 0);
  EXPECT_THAT(config.notices,
              ElementsAre("override 3: Detectron's TRAIN.IMS_PER_BATCH and NUM_GPUS -> SOLVER.IMS_PER_BATCH 12",
                          "override 5: Detectron's TRAIN.SNAPSHOT_ITERS and NUM_GPUS -> SOLVER.CHECKPOINT_PERIOD 33"));
}

TEST(DetectronNames, ALaterSourceWins) {
  const TemporaryFolder folder;
  folder.write("old.yaml", kBaseline);
  const std::string top =
      folder.write("new.yaml", "_BASE_: old.yaml\nSOLVER: {WARMUP_ITERS: 10}\nINPUT: {MIN_SIZE_TRAIN: [400]}\n");
  EXPECT_EQ(load_config(top).solver.warmup_iters, TrainingTime(10));
  EXPECT_EQ(load_config(top).input.min_size_train, std::vector<int>{400});
  EXPECT_EQ(load_config(top, {"TRAIN.SCALES", "(300,)"}).input.min_size_train, std::vector<int>{300});
  EXPECT_EQ(load_config(top, {"SOLVER.IMS_PER_BATCH", "4"}).solver.ims_per_batch, 4);
  EXPECT_EQ(load_config(top, {"NUM_GPUS", "2"}).solver.ims_per_batch, 4);
  EXPECT_EQ(load_config(top, {"MODEL.RESNETS.DEPTH", "18"}).model.resnets.depth, 18);
  EXPECT_EQ(load_config(top, {"MODEL.ANCHOR_GENERATOR.SIZES", "[[8]]"}).model.anchor_generator.sizes.size(), 1U);
}

TEST(DetectronNames, MessagesNameTheNewKey) {
  EXPECT_EQ(error("TRAIN: {DATASET: x}"),
            "a.yaml:1:9: TRAIN.DATASET: a name of Detectron without an exact meaning here (Detectron renamed it to "
            "TRAIN.DATASETS, a list); write DATASETS.TRAIN");
  EXPECT_EQ(error("TRAIN: {FREEZE_CONV_BODY: true}"),
            "a.yaml:1:9: TRAIN.FREEZE_CONV_BODY: found the truth value true, but this name of Detectron has only one "
            "value here, false (MODEL.BACKBONE.FREEZE_AT 5 freezes the stages, but not the pyramid)");
  EXPECT_EQ(error("NUM_GPUS: 2"),
            "a.yaml:1:1: NUM_GPUS: this name of Detectron has a meaning only beside TRAIN.IMS_PER_BATCH, "
            "TRAIN.SNAPSHOT_ITERS or MODEL.CONV_BODY; the number of workers is `--workers` on the command line");
  EXPECT_EQ(error("TRAIN: {IMS_PER_BATCH: 2}"),
            "a.yaml:1:9: TRAIN.IMS_PER_BATCH: this name of Detectron has a meaning only beside NUM_GPUS; write "
            "SOLVER.IMS_PER_BATCH");
  EXPECT_EQ(error("FPN: {RPN_MAX_LEVEL: 6}"),
            "a.yaml:1:7: FPN.RPN_MAX_LEVEL: this name of Detectron has a meaning only beside MODEL.CONV_BODY; write "
            "MODEL.RPN.IN_FEATURES and MODEL.ANCHOR_GENERATOR.SIZES");
  EXPECT_EQ(error("TRAIN: {SCALES: big}"),
            "a.yaml:1:9: TRAIN.SCALES (INPUT.MIN_SIZE_TRAIN here): found the text 'big', wanted a list of whole "
            "numbers");
  EXPECT_EQ(error("MODEL: {NUM_CLASSES: 1}"),
            "a.yaml:1:9: MODEL.NUM_CLASSES: found the whole number 1, wanted a whole number of at least 2 (the classes "
            "and the background)");
  EXPECT_EQ(error("MODEL: {TYPE: rfcn}"),
            "a.yaml:1:9: MODEL.TYPE: found the text 'rfcn', wanted one of generalized_rcnn, retinanet and rpn");
  EXPECT_EQ(error("TRAIN: {DATASETS: [a]}\nDATASETS: {TRAIN: [b]}"),
            "a.yaml:2:12: DATASETS.TRAIN states again what TRAIN.DATASETS (a.yaml:1:9) has stated; keep one of them");
  EXPECT_EQ(
      override_error({"SOLVER.IMS_PER_BATCH", "8", "TRAIN.IMS_PER_BATCH", "2", "NUM_GPUS", "4"}),
      "the overrides: 2 problems\n"
      "  override 3: TRAIN.IMS_PER_BATCH states again what SOLVER.IMS_PER_BATCH (override 1) has stated; keep one "
      "of them\n"
      "  override 5: NUM_GPUS states again what SOLVER.IMS_PER_BATCH (override 1) has stated; keep one of them");
  EXPECT_EQ(error("TRIAN: {DATASETS: [a]}"),
            "a.yaml:1:1: TRIAN: there is no such key; nearest: TRAIN (a name of Detectron)");
  EXPECT_EQ(error("TRAIN: {DATASTES: [a]}"),
            "a.yaml:1:9: TRAIN.DATASTES: there is no such key; nearest: TRAIN.DATASETS (a name of Detectron)");
  EXPECT_EQ(override_error({"TRAIN", "3"}),
            "override 1: TRAIN is a section, wanted a key; docs/config.md lists its keys");
}

TEST(DetectronNames, ContradictionsBetweenNamesAreNamed) {
  EXPECT_EQ(override_error({"TRAIN.RPN_NMS_THRESH", "0.7", "TEST.RPN_NMS_THRESH", "0.6"}),
            "override 1: TRAIN.RPN_NMS_THRESH and TEST.RPN_NMS_THRESH: found 0.7 and 0.6, wanted one value; "
            "MODEL.RPN.NMS_THRESH is for training and evaluation");
  EXPECT_EQ(override_error({"NUM_GPUS", "8", "TRAIN.SNAPSHOT_ITERS", "4"}),
            "override 3: TRAIN.SNAPSHOT_ITERS: found 4 for 8 NUM_GPUS, wanted at least one iteration per worker");
  EXPECT_EQ(override_error({"NUM_GPUS", "0", "TRAIN.IMS_PER_BATCH", "4"}),
            "override 1: NUM_GPUS: found 0, wanted at least 1");
  EXPECT_EQ(override_error({"NUM_GPUS", "1000000", "TRAIN.IMS_PER_BATCH", "9000000000000000000"}),
            "override 3: TRAIN.IMS_PER_BATCH: found 9000000000000000000 images times 1000000 NUM_GPUS, wanted at most "
            "1000000 images");
  EXPECT_EQ(error("RESNETS: {TRANS_FUNC: bottleneck_gn_transformation, STEM_FUNC: basic_bn_stem, SHORTCUT_FUNC: "
                  "basic_bn_shortcut}"),
            "a.yaml:1:11: RESNETS.TRANS_FUNC, STEM_FUNC and SHORTCUT_FUNC: found bottleneck_gn_transformation, "
            "basic_bn_stem, basic_bn_shortcut, wanted one normalisation; MODEL.RESNETS.NORM is for the whole network");
  EXPECT_EQ(error("MODEL: {CONV_BODY: VGG16.add_VGG16_conv5_body}\nFAST_RCNN: {ROI_BOX_HEAD: add_roi_2mlp_head}"),
            "a.yaml:1:9: MODEL.CONV_BODY: found 'add_VGG16_conv5_body', wanted add_fpn_ResNetN_conv5_body or "
            "add_ResNetN_conv4_body with N 50, 101 or 152");
  EXPECT_EQ(error("MODEL: {CONV_BODY: FPN.add_fpn_ResNet50_conv5_body}\nFAST_RCNN: {ROI_BOX_HEAD: "
                  "add_roi_2mlp_head}"),
            "a.yaml:1:9: FPN.FPN_ON: found false with a MODEL.CONV_BODY that is a pyramid, wanted true (it is not "
            "stated; this is Detectron's default)");
}

TEST(DetectronKeys, TableIsWhole) {
  std::set<std::string> paths;
  for (const DetectronKey& key : detectron_keys()) {
    SCOPED_TRACE(key.path);
    EXPECT_TRUE(paths.insert(key.path).second) << "stands in the table twice";
    EXPECT_EQ(find_key(key.path), nullptr) << "a key of Lockstep cannot be a name too";
    EXPECT_FALSE(is_section(key.path));
    for (const std::string& target : key.targets) EXPECT_NE(find_key(target), nullptr) << target;
    EXPECT_EQ(describe_meaning(key).find('|'), std::string::npos) << "'|' breaks the table of docs/config.md";
    const bool has_meaning = key.meaning == DetectronMeaning::kRenamed || key.meaning == DetectronMeaning::kMapped ||
                             key.meaning == DetectronMeaning::kJoint;
    EXPECT_EQ(has_meaning && key.targets.empty(), false);
    EXPECT_EQ(key.only.has_value(), key.meaning == DetectronMeaning::kOnly);
  }
  std::set<std::string> members;
  for (const DetectronFamily& family : detectron_families())
    members.insert(family.members.begin(), family.members.end());
  for (const DetectronKey& key : detectron_keys()) {
    const bool is_joint = key.meaning == DetectronMeaning::kJoint && key.path != "NUM_GPUS";
    EXPECT_EQ(members.count(key.path) == 1, is_joint) << key.path;
  }
  for (const auto& [path, value] : detectron_implied()) {
    Config config;
    ASSERT_NE(find_key(path), nullptr) << path;
    EXPECT_EQ(find_key(path)->set(config, value), std::nullopt) << path;
  }
}

}  // namespace
}  // namespace lockstep
