// SPDX-License-Identifier: Apache-2.0
#include "ops/random_boxes.h"

namespace lockstep {
namespace {

OpCase sample_rois_case() {
  OpCase one;
  one.name = "SampleRois";
  one.type = "SampleRois";
  one.outputs = 3;
  one.args = {arg("batch_size", 24), arg("positive_fraction", 0.25), arg("iou_thresholds", std::vector<double>{0.3}),
              arg("num_classes", 5), arg("key", "rois")};
  one.inputs = tensors(rois_of(random_boxes(90, 40, 96, 128), 45), random_boxes(5, 41, 96, 128),
                       int_tensor({5}, {0, 4, 2, 3, 1}), int_tensor({5}, {0, 1, 0, 0, 0}), int_tensor({2}, {3, 2}),
                       sample_ids({7, 8}));
  one.tolerance = 0.0;
  // An image without truth, one without proposals, neither.
  one.variants.push_back(tensors(rois_of(random_boxes(30, 42, 96, 128), 30), random_boxes(2, 43, 96, 128),
                                 int_tensor({2}, {1, 1}), int_tensor({2}, {0, 0}), int_tensor({2}, {0, 2}),
                                 sample_ids({7, 8})));
  one.variants.push_back(tensors(rois_of(random_boxes(0, 42, 96, 128), 1), random_boxes(0, 43, 96, 128),
                                 int_tensor({0}, {}), int_tensor({0}, {}), int_tensor({1}, {0}), sample_ids({3})));
  const auto with_classes = [](const std::vector<std::int32_t>& classes) {
    return tensors(rois_of(random_boxes(4, 40, 96, 128), 4), random_boxes(2, 41, 96, 128), int_tensor({2}, classes),
                   int_tensor({2}, {0, 0}), int_tensor({1}, {2}), sample_ids({7}));
  };
  one.errors.push_back({"gt_classes[1] is 5; wanted 0..4 (num_classes = 5)", with_classes({0, 5}), {}, {}});
  one.errors.push_back({"gt_classes[0] is -1; wanted 0..4", with_classes({-1, 0}), {}, {}});
  const auto with_images = [](const std::vector<double>& images) {
    std::vector<double> rows;
    for (const double image : images) rows.insert(rows.end(), {image, 0, 0, 8, 8});
    return tensors(real_tensor({static_cast<std::int64_t>(images.size()), 5}, rows), random_boxes(0, 41, 96, 128),
                   int_tensor({0}, {}), int_tensor({0}, {}), int_tensor({2}, {0, 0}), sample_ids({7, 8}));
  };
  one.errors.push_back({"row 1 of the rois is for image 2; wanted an image below 2", with_images({0, 2}), {}, {}});
  one.errors.push_back({"row 2 of the rois is for image 0 after rows of image 1", with_images({0, 1, 0}), {}, {}});
  return one;
}

OpCase box_encode_case() {
  OpCase one;
  one.name = "BoxEncode";
  one.type = "BoxEncode";
  one.args = {arg("weights", std::vector<double>{10, 10, 5, 5})};
  one.inputs = tensors(rois_of(random_boxes(40, 50, 96, 128), 20), random_boxes(40, 51, 96, 128));
  one.variants.push_back(tensors(random_boxes(10, 52, 96, 128), random_boxes(30, 53, 96, 128)));  // repeated
  one.variants.push_back(tensors(random_boxes(3, 54, 96, 128), real_tensor({3, 4}, std::vector<double>(12, 0.0))));
  one.variants.push_back(tensors(random_boxes(0, 54, 96, 128), random_boxes(0, 54, 96, 128)));
  one.errors.push_back({"there are 5 rows of 'gt' for 2 boxes; wanted a multiple",
                        tensors(random_boxes(2, 50, 96, 128), random_boxes(5, 51, 96, 128)),
                        {},
                        {}});
  one.errors.push_back({"[BoxEncode] input 'boxes' must have 4 columns (boxes) or 5 (rois), got f32[2,3]",
                        tensors(random_tensor({2, 3}, 50), random_boxes(2, 51, 96, 128)),
                        {},
                        {}});
  one.errors.push_back(
      {"argument 'weights' is (1, 1, 1)", {}, std::vector<Argument>{arg("weights", std::vector<double>{1, 1, 1})}, {}});
  return one;
}

OpCase assign_levels_case() {
  OpCase one;
  one.name = "AssignLevels";
  one.type = "AssignLevels";
  one.inputs = tensors(rois_of(random_boxes(200, 60, 800, 1200), 100));
  one.variants.push_back(tensors(rois_of(random_boxes(0, 61, 96, 128), 1)));
  one.errors.push_back({"[AssignLevels] min_level 4 is above max_level 3",
                        {},
                        std::vector<Argument>{arg("min_level", 4), arg("max_level", 3)},
                        {}});
  return one;
}

OpCase detect_boxes_case(const std::string& name, std::int64_t delta_columns) {
  OpCase one;
  one.name = name;
  one.type = "DetectBoxes";
  one.outputs = 4;
  one.args = {arg("score_thresh", 0.3), arg("nms_thresh", 0.5), arg("detections_per_image", 30)};
  const auto inputs = [delta_columns](std::int64_t rois) {
    return tensors(random_tensor({rois, 4}, 70, 0.0, 1.0), random_tensor({rois, delta_columns}, 71, -2.0, 2.0),
                   rois_of(random_boxes(rois, 72, 96, 128), 30), real_tensor({2, 3}, {96, 128, 1, 80, 112, 1}));
  };
  one.inputs = inputs(60);
  one.variants.push_back(inputs(12));  // none for the second image
  one.variants.push_back(inputs(0));
  one.errors.push_back({"[DetectBoxes] input 'deltas' must have 4 or 12 columns for 3 classes, got f32[3,8]",
                        tensors(random_tensor({3, 4}, 70), random_tensor({3, 8}, 71),
                                rois_of(random_boxes(3, 72, 96, 128), 3), real_tensor({1, 3}, {96, 128, 1})),
                        {},
                        {}});
  return one;
}

}  // namespace

std::vector<OpCase> roi_cases() {
  std::vector<OpCase> cases;
  cases.push_back(sample_rois_case());
  cases.push_back(box_encode_case());
  cases.push_back(assign_levels_case());
  cases.push_back(detect_boxes_case("DetectBoxes", 12));
  cases.push_back(detect_boxes_case("DetectBoxesClassAgnostic", 4));
  return cases;
}

}  // namespace lockstep
