// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/ops/matcher.h"
#include "lockstep/ops/nms.h"
#include "lockstep/ops/ranking.h"
#include "ops/golden_file.h"
#include "ops/run_op.h"

namespace lockstep {
namespace {

// Boxes and groups in order of score, and what torchvision's indices become in that order.
struct ByScore {
  std::vector<std::int32_t> order;
  std::vector<Box<float>> boxes;

  explicit ByScore(const GoldenFile& golden) {
    const std::vector<float> scores = golden.floats("nms.scores");
    order = top_k(scores.data(), static_cast<std::int64_t>(scores.size()), static_cast<std::int64_t>(scores.size()));
    const std::vector<Box<float>> unordered = golden.boxes("nms.boxes");
    for (const std::int32_t i : order) boxes.push_back(unordered[static_cast<std::size_t>(i)]);
  }
  std::vector<std::int32_t> original(const std::vector<std::int32_t>& kept) const {
    std::vector<std::int32_t> indices;
    for (const std::int32_t i : kept) indices.push_back(order[static_cast<std::size_t>(i)]);
    return indices;
  }
};

TEST(TorchvisionGoldens, Nms) {
  const GoldenFile golden("torchvision.txt");
  const ByScore by_score(golden);
  for (const std::string threshold : {"0.3", "0.5", "0.7"}) {
    const auto wanted = golden.ints("nms.kept." + threshold);
    EXPECT_EQ(by_score.original(nms(by_score.boxes, std::stod(threshold), 1000)), wanted) << threshold;
    EXPECT_LT(wanted.size(), 290u) << "too few boxes overlap for a test";
  }
}

TEST(TorchvisionGoldens, GroupedNms) {
  const GoldenFile golden("torchvision.txt");
  const ByScore by_score(golden);
  const auto groups = golden.ints("nms.groups");
  std::vector<std::int32_t> ordered;
  for (const std::int32_t i : by_score.order) ordered.push_back(groups[static_cast<std::size_t>(i)]);
  EXPECT_EQ(by_score.original(grouped_nms(by_score.boxes, ordered, 0.5, 1000)), golden.ints("nms.kept.grouped"));
}

TEST(TorchvisionGoldens, Iou) {
  const GoldenFile golden("torchvision.txt");
  const auto matrix = golden.floats("iou.matrix");
  std::size_t at = 0;
  for (const Box<float>& a : golden.boxes("iou.a")) {
    for (const Box<float>& b : golden.boxes("iou.b")) EXPECT_EQ(box_iou(a, b), matrix[at++]);
  }
}

TEST(TorchvisionGoldens, EncodeAndDecode) {
  const GoldenFile golden("torchvision.txt");
  const BoxWeights<float> weights = box_weights<float>({10, 10, 5, 5});
  const auto source = golden.boxes("coder.source");
  const auto target = golden.boxes("coder.target");
  const auto encoded = golden.floats("coder.encoded");
  const auto deltas = golden.floats("coder.deltas");
  const auto decoded = golden.floats("coder.decoded");
  for (std::size_t i = 0; i < source.size(); ++i) {
    float row[8];
    store_box(encode_box(source[i], target[i], weights), row);
    store_box(decode_box(source[i], deltas.data() + 4 * i, weights), row + 4);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(row[k], encoded[4 * i + k], 1e-5 * std::abs(encoded[4 * i + k]) + 1e-5);
      EXPECT_NEAR(row[4 + k], decoded[4 * i + k], 1e-5 * std::abs(decoded[4 * i + k]) + 1e-4);
    }
  }
}

TEST(TorchvisionGoldens, Matcher) {
  const GoldenFile golden("torchvision.txt");
  const Tensor& candidates = golden.tensor("matcher.candidates");
  for (const bool low_quality : {false, true}) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(candidates.dim(0)));
    std::vector<std::int32_t> assigned(labels.size());
    Matcher({0.3, 0.5}, {0, -1, 1}, low_quality)
        .match(candidates.data<float>(), candidates.dim(0), golden.boxes("matcher.truth"), labels.data(),
               assigned.data());
    EXPECT_EQ(labels, golden.ints(low_quality ? "matcher.labels.1" : "matcher.labels.0"));
    EXPECT_EQ(assigned, golden.ints("matcher.assigned"));
  }
  EXPECT_NE(golden.ints("matcher.labels.0"), golden.ints("matcher.labels.1"));
}

TEST(FormulaGoldens, Anchors) {
  const GoldenFile golden("torchvision.txt");
  const auto anchors =
      run_op("Anchors",
             {arg("sizes", std::vector<double>{32, 45.3}), arg("aspect_ratios", std::vector<double>{0.5, 1, 2}),
              arg("stride", 8.0), arg("offset", 0.5)},
             tensors(random_tensor({1, 1, 3, 4}, 1)), 1);
  const auto wanted = golden.floats("anchors");
  const auto found = values_of<float>(anchors[0]);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-5) << i;
}

TEST(FormulaGoldens, Levels) {
  const GoldenFile golden("torchvision.txt");
  std::vector<double> rois;
  for (const Box<float>& box : golden.boxes("levels.boxes"))
    rois.insert(rois.end(), {0, box.x1, box.y1, box.x2, box.y2});
  const auto levels = run_op("AssignLevels", {}, tensors(real_tensor({100, 5}, rois)), 1);
  EXPECT_EQ(values_of<std::int32_t>(levels[0]), golden.ints("levels"));
}

// The training step behind detectron2.txt: images of 96x128 and 80x112, padded to 96x128.
Tensor detectron2_anchors() {
  Tensor all(DType::kF32, {3072, 4});
  float* to = all.data<float>();
  const std::vector<std::int64_t> heights = {24, 12, 6, 3, 2}, widths = {32, 16, 8, 4, 2};
  for (std::size_t level = 0; level < 5; ++level) {
    const auto anchors = run_op("Anchors",
                                {arg("sizes", std::vector<double>{32.0 * (1 << level)}),
                                 arg("aspect_ratios", std::vector<double>{0.5, 1, 2}), arg("stride", 4 << level)},
                                tensors(random_tensor({2, 1, heights[level], widths[level]}, 1)), 1);
    to = std::copy_n(anchors[0].data<float>(), anchors[0].size(), to);
  }
  return all;
}

struct Detectron2Truth {
  std::vector<double> boxes;
  std::vector<std::int32_t> classes;
  std::vector<std::int32_t> counts;

  explicit Detectron2Truth(const GoldenFile& golden) {
    for (const std::string image : {"0", "1"}) {
      const auto some = golden.floats(image + ".gt_boxes");
      boxes.insert(boxes.end(), some.begin(), some.end());
      const auto some_classes = golden.ints(image + ".gt_classes");
      classes.insert(classes.end(), some_classes.begin(), some_classes.end());
      counts.push_back(static_cast<std::int32_t>(some_classes.size()));
    }
  }
  std::int64_t size() const { return static_cast<std::int64_t>(classes.size()); }
  Tensor box_tensor() const { return real_tensor({size(), 4}, boxes); }
  Tensor crowd_tensor() const { return int_tensor({size()}, std::vector<std::int32_t>(classes.size(), 0)); }
};

TEST(Detectron2Goldens, RpnLabelsAndMatchedBoxes) {
  const GoldenFile golden("detectron2.txt");
  const Detectron2Truth truth(golden);
  const auto outputs = run_op("RpnMatch", {},
                              tensors(detectron2_anchors(), truth.box_tensor(), truth.crowd_tensor(),
                                      int_tensor({2}, truth.counts), real_tensor({2, 3}, {96, 128, 1, 80, 112, 1})),
                              2);
  for (std::int64_t image = 0; image < 2; ++image) {
    const std::string prefix = std::to_string(image);
    const auto sampled = golden.ints(prefix + ".rpn_sampled");
    const auto labels = golden.ints(prefix + ".rpn_labels");
    for (std::size_t i = 0; i < sampled.size(); ++i) {
      EXPECT_EQ(outputs[0].data<std::int32_t>()[3072 * image + sampled[i]], labels[i]) << "anchor " << sampled[i];
    }
    const auto objects = golden.ints(prefix + ".rpn_objects");
    const auto matched = golden.boxes(prefix + ".rpn_matched_gt");
    EXPECT_FALSE(objects.empty());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      EXPECT_EQ(load_box(outputs[1].data<float>() + 4 * (3072 * image + objects[i])), matched[i]);
    }
  }
}

// With room for every roi, SampleRois must give Detectron2's sampled rois back: objects first, in their order.
TEST(Detectron2Goldens, RoiClassesAndMatchedBoxes) {
  const GoldenFile golden("detectron2.txt");
  const Detectron2Truth truth(golden);
  std::vector<double> rois;
  std::vector<std::int32_t> classes;
  std::vector<float> matched;
  for (const std::string image : {"0", "1"}) {
    for (const Box<float>& box : golden.boxes(image + ".rois")) {
      rois.insert(rois.end(), {std::stod(image), box.x1, box.y1, box.x2, box.y2});
    }
    const auto some_classes = golden.ints(image + ".roi_classes");
    classes.insert(classes.end(), some_classes.begin(), some_classes.end());
    const auto some_matched = golden.floats(image + ".roi_gt_boxes");
    matched.insert(matched.end(), some_matched.begin(), some_matched.end());
  }
  const auto outputs =
      run_op("SampleRois",
             {arg("batch_size", 64), arg("positive_fraction", 1.0), arg("num_classes", 5), arg("append_gt", 0),
              arg("key", "rois")},
             tensors(real_tensor({64, 5}, rois), truth.box_tensor(), int_tensor({truth.size()}, truth.classes),
                     truth.crowd_tensor(), int_tensor({2}, truth.counts), Tensor::from<std::int64_t>({2}, {0, 1})),
             3);
  EXPECT_EQ(values_of<std::int32_t>(outputs[1]), classes);
  EXPECT_EQ(values_of<float>(outputs[2]), matched);
  EXPECT_THAT(values_of<float>(outputs[0]), testing::ElementsAreArray(std::vector<float>(rois.begin(), rois.end())));
}

}  // namespace
}  // namespace lockstep
