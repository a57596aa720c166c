// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config_test_support.h"
#include "lockstep/config/load.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Config recipe(const std::vector<std::string>& overrides = {}) {
  const auto base = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "configs" / "base" / "faster_rcnn_r18_gn_fpn.yaml";
  return load_config(base.string(), overrides);
}

TEST(CheckSupported, NamesEveryUnsupportedValueInOneError) {
  const std::vector<std::string> values = {
      "MODEL.MASK_ON=True",
      "MODEL.KEYPOINT_ON=True",
      "MODEL.LOAD_PROPOSALS=True",
      "MODEL.META_ARCHITECTURE=PanopticFPN",
      "MODEL.RESNETS.NORM=SyncBN",
      "MODEL.FPN.NORM=BN",
      "MODEL.FPN.FUSE_TYPE=avg",
      "MODEL.RESNETS.RES5_DILATION=2",
      "MODEL.RESNETS.NUM_GROUPS=32",
      "MODEL.RESNETS.DEFORM_ON_PER_STAGE=(False, True, True, True)",
      "MODEL.RESNETS.DEPTH=26",
      "MODEL.ROI_HEADS.NAME=CascadeROIHeads",
      "MODEL.ROI_BOX_HEAD.CLS_AGNOSTIC_BBOX_REG=True",
      "SOLVER.AMP.ENABLED=True",
      "MODEL.ROI_BOX_HEAD.BBOX_REG_LOSS_TYPE=giou",
      "MODEL.DEVICE=tpu",
      "TEST.AUG.ENABLED=True",
      "SOLVER.CLIP_GRADIENTS.ENABLED=True",
      "TEST.PRECISE_BN.ENABLED=True",
      "DATALOADER.SAMPLER_TRAIN=RandomSubsetTrainingSampler",
  };
  const Config config = recipe(values);
  EXPECT_THAT(unsupported_values(config), SizeIs(values.size()));
  const std::string text = testing::error_of([&] { check_supported(config); }, ErrorKind::kUnsupported);
  for (const std::string& value : values)
    EXPECT_THAT(text, HasSubstr("\n  " + value.substr(0, value.find('=')) + ": found "));
  EXPECT_THAT(text, HasSubstr("MODEL.RESNETS.NORM: found SyncBN; this version runs \"\", FrozenBN and GN"));
}

TEST(CheckSupported, RefusesDetectron2sDefaults) {
  // They describe a network on res4 without a pyramid.
  const std::string text = testing::error_of([&] { check_supported(Config{}); }, ErrorKind::kUnsupported);
  EXPECT_THAT(text, HasSubstr("MODEL.BACKBONE.NAME: found build_resnet_backbone"));
  EXPECT_THAT(text, HasSubstr("MODEL.ROI_HEADS.NAME: found Res5ROIHeads"));
}

TEST(Contradictions, ListEachOne) {
  EXPECT_THAT(contradictions(recipe({})), IsEmpty());
  EXPECT_THAT(contradictions(recipe({"SOLVER.STEPS=(20, 10)", "SOLVER.MAX_EPOCHS=12", "SOLVER.MAX_ITER=500"})),
              ElementsAre(HasSubstr("SOLVER.STEPS"), HasSubstr("SOLVER.MAX_EPOCHS")));
}

TEST(CheckSupported, NamesContradictions) {
  const auto error = [](const std::vector<std::string>& overrides) {
    return testing::error_of([&] { check_supported(recipe(overrides)); });
  };
  EXPECT_EQ(error({}), "no error");
  EXPECT_EQ(error({"SOLVER.STEPS=[11ep, 8ep]"}), "SOLVER.STEPS: found 8ep after 11ep, wanted increasing times");
  EXPECT_EQ(error({"SOLVER.STEPS=[100, 8ep]"}), "no error");  // compared once the data set is known
  EXPECT_EQ(error({"SOLVER.MAX_EPOCHS=12", "SOLVER.MAX_ITER=500"}),
            "SOLVER.MAX_EPOCHS: found 12 with SOLVER.MAX_ITER 500, wanted one length of the training; set "
            "SOLVER.MAX_ITER 0 to count epochs, or SOLVER.MAX_EPOCHS 0 to count iterations");
  EXPECT_EQ(error({"SOLVER.IMS_PER_BATCH=5", "SOLVER.IMS_PER_MICRO_BATCH=2"}),
            "SOLVER.IMS_PER_BATCH: found 5, wanted a multiple of SOLVER.IMS_PER_MICRO_BATCH (2)");
  EXPECT_EQ(error({"SOLVER.STEPS=(20, 10)"}), "SOLVER.STEPS: found 10 after 20, wanted increasing times");
  EXPECT_THAT(error({"MODEL.RPN.IOU_LABELS=(0, 1)"}), HasSubstr("MODEL.RPN.IOU_LABELS: found 2 labels for 2"));
  EXPECT_THAT(error({"MODEL.GN_NUM_GROUPS=32"}), HasSubstr("24 channels with NORM GN, wanted a multiple of"));
  EXPECT_THAT(error({"MODEL.ANCHOR_GENERATOR.SIZES=[[32],[64]]"}), HasSubstr("found 2 lists, wanted 1 or one per"));
  EXPECT_THAT(error({"MODEL.ANCHOR_GENERATOR.SIZES=[[16, 8], [32], [64], [128], [256]]"}),
              HasSubstr("found 3 anchors per cell (sizes x ratios) on feature map 2 and 6 on the first"));
  EXPECT_EQ(error({"MODEL.ANCHOR_GENERATOR.SIZES=[[16, 8], [32], [64], [128], [256]]",
                   "MODEL.ANCHOR_GENERATOR.ASPECT_RATIOS=[[1], [1, 2], [1, 2], [1, 2], [1, 2]]"}),
            "no error");
  EXPECT_THAT(error({"MODEL.ANCHOR_GENERATOR.ASPECT_RATIOS=[[0]]"}), HasSubstr("wanted from 0.001 to 1000"));
  EXPECT_THAT(error({"MODEL.ROI_BOX_HEAD.POOLER_RESOLUTION=65"}), HasSubstr("wanted from 1.0 to 64.0"));
  EXPECT_THAT(error({"SOLVER.IMS_PER_BATCH=2000000000"}), HasSubstr("found the whole number 2000000000"));
  EXPECT_THAT(error({"MODEL.FPN.IN_FEATURES=[res1]"}), HasSubstr("found 'res1', wanted names from"));
  EXPECT_THAT(error({"INPUT.MIN_SIZE_TRAIN_SAMPLING=range"}), HasSubstr("found 1 sizes with"));
  EXPECT_THAT(error({"INPUT.MIN_SIZE_TRAIN_SAMPLING=range", "INPUT.MIN_SIZE_TRAIN=(3, 2)"}),
              HasSubstr("the range 3 to 2"));
  EXPECT_THAT(error({"MODEL.PIXEL_MEAN=(1,)"}), HasSubstr("MODEL.PIXEL_MEAN: found 1 values, wanted 3"));
}

TEST(UnusedValues, ListsWhatHasNoEffect) {
  const auto remarks = unused_values(recipe({"CUDNN_BENCHMARK=True", "MODEL.RETINANET.NUM_CONVS=4"}));
  ASSERT_THAT(remarks, SizeIs(1));  // NUM_CONVS has its default
  EXPECT_EQ(remarks[0].path, "CUDNN_BENCHMARK");
}

}  // namespace
}  // namespace lockstep
