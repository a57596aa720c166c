// SPDX-License-Identifier: Apache-2.0
#include "ops/random_boxes.h"

namespace lockstep {
namespace {

Tensor image_info(std::int64_t images) {
  std::vector<double> values;
  for (std::int64_t n = 0; n < images; ++n) {
    values.insert(values.end(), {96.0 - 8.0 * static_cast<double>(n), 128.0 - 16.0 * static_cast<double>(n), 1.0});
  }
  return real_tensor({images, 3}, values);
}

OpCase rpn_match_case() {
  OpCase one;
  one.name = "RpnMatch";
  one.type = "RpnMatch";
  one.outputs = 2;
  one.args = {arg("iou_thresholds", std::vector<double>{0.2, 0.45})};
  one.inputs = tensors(random_boxes(1500, 20, 96, 128), random_boxes(7, 21, 96, 128),
                       int_tensor({7}, {0, 0, 1, 0, 0, 0, 1}), int_tensor({3}, {4, 0, 3}), image_info(3));
  one.tolerance = 0.0;
  one.variants.push_back(tensors(random_boxes(5, 22, 96, 128), random_boxes(0, 23, 96, 128), int_tensor({0}, {}),
                                 int_tensor({1}, {0}), image_info(1)));
  one.variants.push_back(tensors(random_boxes(0, 22, 96, 128), random_boxes(1, 23, 96, 128), int_tensor({1}, {0}),
                                 int_tensor({1}, {1}), image_info(1)));
  one.errors.push_back({"gt_counts add up to 6, but there are 7 ground-truth rows",
                        tensors(random_boxes(5, 20, 96, 128), random_boxes(7, 21, 96, 128), random_ints({7}, 24, 0, 1),
                                int_tensor({2}, {4, 2}), image_info(2)),
                        {},
                        {}});
  one.errors.push_back({"gt_counts[1] is -1; wanted the number of boxes of image 1",
                        tensors(random_boxes(5, 20, 96, 128), random_boxes(1, 21, 96, 128), int_tensor({1}, {0}),
                                int_tensor({2}, {2, -1}), image_info(2)),
                        {},
                        {}});
  one.errors.push_back({"IoU thresholds are (0.7, 0.3); wanted ascending numbers in (0, 1]",
                        {},
                        std::vector<Argument>{arg("iou_thresholds", std::vector<double>{0.7, 0.3})},
                        {}});
  one.errors.push_back({"there are 2 IoU labels for 2 IoU thresholds; wanted one label more",
                        {},
                        std::vector<Argument>{arg("iou_labels", std::vector<std::int64_t>{0, 1})},
                        {}});
  one.errors.push_back({"IoU labels are (0, 2, 1); wanted -1 (ignored), 0 (background) or 1 (object)",
                        {},
                        std::vector<Argument>{arg("iou_labels", std::vector<std::int64_t>{0, 2, 1})},
                        {}});
  return one;
}

OpCase rpn_sample_case() {
  OpCase one;
  one.name = "RpnSample";
  one.type = "RpnSample";
  one.args = {arg("batch_size", 12), arg("positive_fraction", 0.25), arg("key", "rpn")};
  one.inputs = tensors(random_ints({120}, 25, -1, 2), sample_ids({4, 9}));
  one.variants.push_back(tensors(random_ints({6}, 26, -1, 2), sample_ids({4})));
  one.variants.push_back(tensors(random_ints({0}, 26, -1, 2), sample_ids({4, 5})));
  one.errors.push_back({"there are 7 labels for 2 images; wanted the same number for every image",
                        tensors(random_ints({7}, 25, -1, 2), sample_ids({4, 9})),
                        {},
                        {}});
  one.errors.push_back({"argument 'positive_fraction' must lie in [0, 1], got 1.5",
                        {},
                        std::vector<Argument>{arg("batch_size", 12), arg("positive_fraction", 1.5), arg("key", "k")},
                        {}});
  return one;
}

OpCase generate_proposals_case() {
  OpCase one;
  one.name = "GenerateProposals";
  one.type = "GenerateProposals";
  one.outputs = 2;
  one.args = {arg("pre_nms_topk", 60), arg("post_nms_topk", 40), arg("nms_thresh", 0.5), arg("min_size", 4.0)};
  one.inputs = tensors(distinct_tensor({260, 1}, 27), random_tensor({260, 4}, 28), image_info(2),
                       random_boxes(100, 29, 96, 128), random_boxes(30, 30, 96, 128));
  one.variants.push_back(tensors(distinct_tensor({4, 1}, 27), random_tensor({4, 4}, 28), image_info(1),
                                 random_boxes(4, 29, 96, 128), random_boxes(0, 30, 96, 128)));
  one.variants.push_back(tensors(random_tensor({0, 1}, 27), random_tensor({0, 4}, 28), image_info(2),
                                 random_boxes(0, 29, 96, 128), random_boxes(0, 30, 96, 128)));
  one.errors.push_back({"[GenerateProposals] input 'logits' must have size 260 on axis 0 (images times anchors)",
                        tensors(distinct_tensor({259, 1}, 27), random_tensor({260, 4}, 28), image_info(2),
                                random_boxes(100, 29, 96, 128), random_boxes(30, 30, 96, 128)),
                        {},
                        {}});
  one.errors.push_back({"argument 'weights' is (1, 1, 0, 1); wanted four positive numbers (x, y, width, height)",
                        {},
                        std::vector<Argument>{arg("pre_nms_topk", 60), arg("post_nms_topk", 40),
                                              arg("weights", std::vector<double>{1, 1, 0, 1})},
                        {}});
  return one;
}

}  // namespace

std::vector<OpCase> rpn_cases() {
  std::vector<OpCase> cases;
  cases.push_back(rpn_match_case());
  OpCase& inside = cases.emplace_back();
  inside.name = "RpnMatchInsideOnly";
  inside.type = "RpnMatch";
  inside.outputs = 2;
  inside.args = {arg("boundary_thresh", 0.0)};
  inside.inputs = tensors(real_tensor({4, 4}, {0, 0, 16, 16, -1, 0, 15, 16, 100, 60, 127, 95, 100, 60, 128, 95}),
                          random_boxes(2, 21, 96, 128), int_tensor({2}, {0, 0}), int_tensor({1}, {2}), image_info(1));
  inside.tolerance = 0.0;
  cases.push_back(rpn_sample_case());
  cases.push_back(generate_proposals_case());
  return cases;
}

}  // namespace lockstep
