// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/classes.h"

#include <gtest/gtest.h>

#include "engine/error_text.h"
#include "lockstep/config/load.h"

namespace lockstep {
namespace {

const std::vector<Category> kCells = {{1, "RBC"}, {2, "WBC"}, {3, "Platelets"}};

TEST(Classes, TheDataDecideWhereNothingIsSet) {
  Config config;
  set_classes(config, kCells);
  EXPECT_EQ(config.model.roi_heads.num_classes, 3);
  EXPECT_TRUE(config.is_set("MODEL.ROI_HEADS.NUM_CLASSES"));  // so that a resumed run keeps it
}

TEST(Classes, TheRightNumberIsAccepted) {
  Config config = config_from_yaml("MODEL:\n  ROI_HEADS:\n    NUM_CLASSES: 3\n");
  set_classes(config, kCells);
  EXPECT_EQ(config.model.roi_heads.num_classes, 3);
}

TEST(Classes, AnotherNumberIsAnErrorEvenIfItIsTheDefault) {
  Config config = config_from_yaml("MODEL:\n  ROI_HEADS:\n    NUM_CLASSES: 80\n");
  EXPECT_EQ(error_text(ErrorKind::kConfig, [&] { set_classes(config, kCells); }),
            "MODEL.ROI_HEADS.NUM_CLASSES is 80, but the training data has 3 categories: RBC, WBC, Platelets; leave the "
            "key out, or set it to 3");
}

TEST(Classes, CategoriesWithoutABoxAreNamed) {
  Dataset set{"coco:cells.json", kCells, {ImageRecord{}}};
  set.images[0].boxes = {{0, 0, 4, 4, 0, false, 16.0, 1}, {0, 0, 9, 9, 2, true, 81.0, 2}};  // Platelets: crowd alone
  EXPECT_EQ(error_text(ErrorKind::kData, [&] { require_boxes_in_every_category(set); }),
            "the training data coco:cells.json has categories without a box: WBC, Platelets (2 of 3); remove them from "
            "the annotation file, add images of them, or train without learning them with "
            "DATASETS.ALLOW_EMPTY_CATEGORIES True");
  set.images[0].boxes[1].crowd = false;
  set.images[0].boxes.push_back({0, 0, 4, 4, 1, false, 16.0, 3});
  require_boxes_in_every_category(set);
}

TEST(Classes, OtherCategoriesThanTheCheckpointsAreRefused) {
  require_same_categories(kCells, {{5, "RBC"}, {6, "WBC"}, {7, "Platelets"}}, "a.safetensors");  // ids may differ
  EXPECT_EQ(error_text(ErrorKind::kData,
                       [&] {
                         require_same_categories(kCells, {{1, "WBC"}, {2, "RBC"}, {3, "Platelets"}}, "a.safetensors");
                       }),
            "a.safetensors was trained on the categories RBC, WBC, Platelets; the data has WBC, RBC, Platelets");
}

}  // namespace
}  // namespace lockstep
