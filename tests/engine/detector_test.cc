// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/detector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/engine/trainer.h"

namespace lockstep {
namespace {

// A model that has seen a few steps, and the pictures of its data set.
class DetectorTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    TemporaryFolder folder;
    config_ = small_recipe(folder.file("run"));
    config_.datasets.test.clear();
    TrainerOptions options;
    options.workers = 2;
    Trainer(config_, options).run();
    checkpoint_ = load_checkpoint(folder.file("run/model_final.safetensors"));
    config_.model.roi_heads.num_classes = static_cast<int>(checkpoint_.info.categories.size());
    config_.model.roi_heads.score_thresh_test = 0;  // a model this young is sure of nothing
    config_.test.detections_per_image = 20;
    pictures_ = load_dataset(config_.datasets.train, {}, DataSplit::kTest);
  }

  static std::map<std::string, const Tensor*> parameters() {
    std::map<std::string, const Tensor*> found;
    for (const auto& [name, tensor] : checkpoint_.parameters) found[name] = &tensor;
    return found;
  }

  static inline Config config_;
  static inline Checkpoint checkpoint_;
  static inline Dataset pictures_;
};

using Row = std::tuple<float, float, float, float, int, float>;

std::vector<Row> rows(const std::vector<DetectedObject>& objects) {
  std::vector<Row> rows;
  for (const DetectedObject& one : objects) {
    rows.emplace_back(one.x1, one.y1, one.x2, one.y2, one.class_index, one.score);
  }
  return rows;
}

TEST_F(DetectorTest, TheNumberOfWorkersDoesNotMatter) {
  const auto alone = detect_all(config_, parameters(), pictures_, 1, 1);
  ASSERT_EQ(alone.size(), pictures_.images.size());
  std::size_t objects = 0;
  for (const auto& image : alone) objects += image.size();
  ASSERT_GT(objects, pictures_.images.size());
  for (const int workers : {2, 3}) {
    const auto shared = detect_all(config_, parameters(), pictures_, workers, 1);
    ASSERT_EQ(shared.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(rows(shared[i]), rows(alone[i])) << workers << " " << i;
  }
}

TEST_F(DetectorTest, DetectionsAreSortedCutAndInsideThePicture) {
  const ImageRecord& record = pictures_.images[0];
  const Image image = load_image(record.path);
  Detector detector(config_, parameters());
  const auto found = detector.detect(image);
  ASSERT_FALSE(found.empty());
  EXPECT_LE(found.size(), 20u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const DetectedObject& one = found[i];
    EXPECT_GE(i > 0 ? found[i - 1].score : 1.0f, one.score);
    EXPECT_GE(one.x1, 0);
    EXPECT_LT(one.x1, one.x2);
    EXPECT_LE(one.x2, static_cast<float>(record.width));
    EXPECT_LT(one.y1, one.y2);
    EXPECT_LE(one.y2, static_cast<float>(record.height));
    EXPECT_GE(one.class_index, 0);
    EXPECT_LT(one.class_index, config_.model.roi_heads.num_classes);
  }
  EXPECT_EQ(rows(detector.detect(image)), rows(found));  // nothing is left over from the picture before
}

TEST_F(DetectorTest, ItReportsProgress) {
  std::size_t last = 0;
  detect_all(config_, parameters(), pictures_, 2, 1, [&](std::size_t done) { last = done; });
  EXPECT_EQ(last, pictures_.images.size());
}

TEST_F(DetectorTest, APictureThatIsGoneIsNamedByEveryNumberOfWorkers) {
  Dataset broken = pictures_;
  broken.images[1].path += ".gone";
  for (const int workers : {1, 3}) {
    EXPECT_THAT(error_text(ErrorKind::kIo, [&] { detect_all(config_, parameters(), broken, workers, 1); }),
                testing::HasSubstr(broken.images[1].path));
  }
}

TEST_F(DetectorTest, WeightsThatDoNotFitAreNamed) {
  auto weights = parameters();
  const std::string name = "roi_heads.box_predictor.cls_score.bias";
  const Tensor other(DType::kF32, {2});
  weights[name] = &other;
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { Detector(config_, weights); }),
              testing::HasSubstr("tensor '" + name + "' of the weights is f32[2], the model wants ["));
  weights.erase(name);
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { Detector(config_, weights); }),
              testing::HasSubstr("the weights have no tensor '" + name + "' ["));
}

}  // namespace
}  // namespace lockstep
