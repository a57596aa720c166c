// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/roidb.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

class CombinedRoidb : public ::testing::Test {
 protected:
  // Images `first` to `first` + 3: with a box, with none, with a crowd region only, with both.
  std::string write_set(const std::string& name, int first) {
    std::string images, boxes;
    for (int i = 0; i < 4; ++i) {
      images += fmt::format(R"({}{{"id": {}, "file_name": "{}{}.jpg", "width": 60, "height": 40}})", i > 0 ? "," : "",
                            first + i, name, i);
      dir_.write(fmt::format("{}{}.jpg", name, i), "");
    }
    const auto add = [&](int image, int crowd) {
      boxes += fmt::format(
          R"({}{{"id": {}, "image_id": {}, "category_id": 1, "bbox": [1, 1, 9, 9], "area": 81, "iscrowd": {}}})",
          boxes.empty() ? "" : ",", first * 10 + image * 2 + crowd, first + image, crowd);
    };
    add(0, 0), add(2, 1), add(3, 0), add(3, 1);
    return "coco:" +
           dir_.write(
               name + ".json",
               fmt::format(R"({{"categories": [{{"id": 1, "name": "cat"}}], "images": [{}], "annotations": [{}]}})",
                           images, boxes)) +
           ":" + dir_.path();
  }
  Roidb roidb(const std::string& flip, bool filter) {
    Config config;
    config.datasets.train = {write_set("b", 100), write_set("a", 1)};
    config.input.random_flip = flip;
    config.dataloader.filter_empty_annotations = filter;
    return combined_roidb_for_training(config);
  }
  TempDir dir_;
  LogCapture log_;
};

TEST_F(CombinedRoidb, JoinsFiltersAndSaysSo) {
  const Roidb roidb = this->roidb("horizontal", true);
  EXPECT_EQ(roidb.images_read, 8u);
  std::vector<std::string> names;
  for (const ImageRecord& image : roidb.dataset.images) names.push_back(image.file_name);
  EXPECT_EQ(names, (std::vector<std::string>{"b0.jpg", "b3.jpg", "a0.jpg", "a3.jpg"}));  // data sets in order
  EXPECT_EQ(roidb.dataset.images[1].boxes.size(), 2u);  // crowd regions stay beside other boxes
  EXPECT_THAT(log_.text(),
              HasSubstr("roidb of 'b+a': 8 images with 8 boxes (4 crowd) read, 16 entries with flipped copies; "
                        "Filtered 8 roidb entries: 16 -> 8 (4 without boxes, 4 with crowd boxes only)\n"));
}

TEST_F(CombinedRoidb, CountsWithoutFlips) {
  roidb("none", true);
  EXPECT_THAT(log_.text(), HasSubstr("read; Filtered 4 roidb entries: 8 -> 4 (2 without boxes, 2 with crowd"));
}

TEST_F(CombinedRoidb, KeepsEveryImageOnRequest) {
  EXPECT_EQ(roidb("none", false).dataset.images.size(), 8u);
  EXPECT_THAT(log_.text(), HasSubstr("read; none filtered (DATALOADER.FILTER_EMPTY_ANNOTATIONS is False), 4 train as "
                                     "background (2 without boxes, 2 with crowd boxes only)"));
}

TEST_F(CombinedRoidb, LooksForFilesBeforeItFilters) {
  Config config;
  config.datasets.train = {write_set("a", 1)};
  std::filesystem::remove(dir_.file("a1.jpg"));  // an image without boxes
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { combined_roidb_for_training(config); }), HasSubstr("1 of the 4 images"));
  EXPECT_EQ(combined_roidb_for_training(config, false).dataset.images.size(), 2u);
}

}  // namespace
}  // namespace lockstep
