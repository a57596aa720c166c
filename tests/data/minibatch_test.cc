// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/minibatch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "data/data_test_util.h"
#include "lockstep/data/coco_reader.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Minibatch : public ::testing::Test {
 protected:
  void add_image(const std::string& name, int width, int height, std::vector<GroundTruthBox> boxes) {
    write_png(dir_.file(name), noise_image(width, height, static_cast<std::uint32_t>(width)));
    const auto id = static_cast<std::int64_t>(dataset_.images.size()) + 1;
    dataset_.images.push_back({id, name, dir_.file(name), width, height, std::move(boxes)});
  }
  MinibatchBuilder builder() const { return MinibatchBuilder(std::make_shared<const Dataset>(dataset_), options_); }
  static MinibatchOptions plain_options() {
    MinibatchOptions options;
    options.augment.min_sizes = {0};
    options.augment.flips = {};
    options.normalize.mean = {10, 20, 30};
    options.normalize.std = {2, 4, 8};
    options.images_per_batch = 2;
    options.images_per_micro_batch = 2;
    return options;
  }

  TempDir dir_;
  Dataset dataset_{"set", {{1, "a"}, {2, "b"}}, {}};
  MinibatchOptions options_ = plain_options();
};

TEST_F(Minibatch, HoldsPixelsBoxesAndPadding) {
  add_image("a.png", 40, 30, {{1, 2, 3, 4, 1, false, 4, 1}, {5, 6, 7, 8, 0, true, 4, 2}});
  add_image("b.png", 20, 50, {});
  const std::vector<Tensor> record = builder().build(0, 0);
  ASSERT_EQ(record.size(), minibatch_fields().size());
  EXPECT_EQ(record[0].shape(), (Shape{2, 3, 64, 64}));
  EXPECT_EQ(record[1].shape(), (Shape{2, 3}));
  EXPECT_EQ(record[2].shape(), (Shape{2, 4}));
  const float* info = record[1].data<float>();
  const std::int64_t a = info[1] == 40 ? 0 : 1;  // where the shuffle put image a
  EXPECT_EQ(info[3 * a], 30);
  EXPECT_EQ(info[3 * a + 2], 1);
  EXPECT_EQ(record[5].data<std::int32_t>()[a], 2);
  EXPECT_EQ(record[5].data<std::int32_t>()[1 - a], 0);
  EXPECT_EQ(std::vector<float>(record[2].data<float>(), record[2].data<float>() + 8),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(record[3].data<std::int32_t>()[0], 1);
  EXPECT_EQ(record[4].data<std::int32_t>()[1], 1);
  EXPECT_EQ(record[6].data<std::int64_t>()[1], 1);

  const Image image = noise_image(40, 30, 40);
  const float* planes = record[0].data<float>() + a * 3 * 64 * 64;
  EXPECT_EQ(planes[64 * 2 + 7], (image.row(2)[21] - 10.0F) / 2.0F);                           // blue
  EXPECT_EQ(planes[2 * 64 * 64 + 64 * 29 + 39], (image.row(29)[3 * 39 + 2] - 30.0F) / 8.0F);  // red, last pixel
  EXPECT_EQ(planes[40], 0);                                                                   // right of the picture
  EXPECT_EQ(planes[64 * 30], 0);                                                              // below it
}

TEST_F(Minibatch, RgbSwapsTheChannels) {
  add_image("a.png", 40, 30, {});
  options_.images_per_batch = options_.images_per_micro_batch = 1;
  options_.normalize.rgb = true;
  const std::vector<Tensor> record = builder().build(0, 0);
  EXPECT_EQ(record[0].data<float>()[0], (noise_image(40, 30, 40).row(0)[2] - 10.0F) / 2.0F);
  EXPECT_EQ(record[2].shape(), (Shape{0, 4}));
}

TEST_F(Minibatch, ResizesAndFlipsImageAndBoxesTogether) {
  // A bright square on black: wherever resize and flip put it, the box must still fit around it.
  Image image(60, 40);
  for (int y = 10; y < 20; ++y) std::fill(image.row(y) + 3 * 40, image.row(y) + 3 * 56, std::uint8_t{255});
  write_png(dir_.file("a.png"), image);
  dataset_.images.push_back({1, "a.png", dir_.file("a.png"), 60, 40, {{40, 10, 56, 20, 0, false, 160, 1}}});
  options_.augment.min_sizes = {80, 120};
  options_.augment.max_size = 1000;
  options_.augment.flips = {Flip::kHorizontal};
  options_.normalize.mean = {0, 0, 0};
  options_.normalize.std = {1, 1, 1};
  options_.images_per_batch = options_.images_per_micro_batch = 1;
  const MinibatchBuilder build = builder();
  std::map<float, int> left_edges;
  for (std::int64_t step = 0; step < 16; ++step) {
    const std::vector<Tensor> record = build.build(step, 0);
    const float* box = record[2].data<float>();
    const float scale = record[1].data<float>()[2];
    ++left_edges[box[0] / scale];
    const auto inside = [&](float x, float y) {
      return record[0].data<float>()[static_cast<std::int64_t>(y) * record[0].dim(3) + static_cast<std::int64_t>(x)];
    };
    EXPECT_GT(inside(box[0] + 2, box[1] + 2), 200);
    EXPECT_GT(inside(box[2] - 2, box[3] - 2), 200);
    EXPECT_LT(inside(box[0] - 2, box[1] + 2), 50);
    EXPECT_LT(inside(box[2] + 2, box[3] - 2), 50);
  }
  EXPECT_EQ(left_edges.size(), 2u);  // 40 as it is and 60 - 56 flipped
  EXPECT_EQ(left_edges.count(4), 1u);
}

TEST_F(Minibatch, CropsImageAndBoxesTogether) {
  Image image(60, 40);
  for (int y = 10; y < 30; ++y) std::fill(image.row(y) + 3 * 20, image.row(y) + 3 * 40, std::uint8_t{200});
  write_png(dir_.file("a.png"), image);
  dataset_.images.push_back({1, "a.png", dir_.file("a.png"), 60, 40, {{20, 10, 40, 30, 0, false, 400, 1}}});
  options_.augment.crop = CropOptions{CropType::kAbsolute, 16, 12};
  options_.augment.colour.brightness = {0.5, 0.5};
  options_.normalize.mean = {0, 0, 0};
  options_.normalize.std = {1, 1, 1};
  options_.images_per_batch = options_.images_per_micro_batch = 1;
  const MinibatchBuilder build = builder();
  std::set<std::int64_t> counts;
  for (std::int64_t step = 0; step < 64; ++step) {
    const std::vector<Tensor> record = build.build(step, 0);
    EXPECT_EQ(record[1].data<float>()[0], 16);
    EXPECT_EQ(record[1].data<float>()[1], 12);
    double bright = 0;
    for (std::int64_t i = 0; i < record[0].dim(2) * record[0].dim(3); ++i) bright += record[0].data<float>()[i] == 100;
    double area = 0;
    const float* box = record[2].data<float>();
    if (record[2].dim(0) == 1) area = double{box[2] - box[0]} * double{box[3] - box[1]};
    EXPECT_EQ(area, bright) << "step " << step;  // the box holds the bright pixels and no others
    counts.insert(record[2].dim(0));
  }
  EXPECT_EQ(counts, (std::set<std::int64_t>{0, 1}));  // some windows miss the square
}

TEST_F(Minibatch, RepeatsTheImagesOfRareCategories) {
  for (int i = 0; i < 4; ++i) add_image(std::to_string(i) + ".png", 40 + i, 30, {{1, 2, 3, 4, i == 3, false, 4, 1}});
  options_.repeat = RepeatOptions{1, true};  // sqrt(1 / (1 / 4)) = 2 for the last image
  std::map<float, int> uses;
  const MinibatchBuilder build = builder();
  for (std::int64_t step = 0; step < 50; ++step) {
    const std::vector<Tensor> record = build.build(step, 0);
    for (int i = 0; i < 2; ++i) ++uses[record[1].data<float>()[3 * i + 1]];
  }
  EXPECT_NEAR(uses[43], 100 * 2 / (3 * std::sqrt(4.0 / 3) + 2), 1);
}

TEST_F(Minibatch, ReplacesAnUndecodableImageInItsSlot) {
  for (int i = 0; i < 4; ++i) add_image(std::to_string(i) + ".png", 40 + i, 30, {});
  options_.images_per_batch = 4;
  options_.images_per_micro_batch = 1;
  const auto widths = [&](const MinibatchBuilder& build) {
    std::vector<float> result;
    for (std::int64_t index = 0; index < 4; ++index) result.push_back(build.build(0, index)[1].data<float>()[1]);
    return result;
  };
  const std::vector<float> before = widths(builder());
  dir_.write("2.png", "");
  const LogCapture log;
  const MinibatchBuilder build = builder();
  const std::vector<float> after = widths(build);
  for (std::size_t i = 0; i < 4; ++i) {
    if (before[i] == 42)
      EXPECT_NE(after[i], 42);
    else
      EXPECT_EQ(after[i], before[i]);
  }
  EXPECT_EQ(widths(build), after);
  EXPECT_EQ(build.bad_image_count(), 1u);
  EXPECT_THAT(log.text(),
              AllOf(HasSubstr("2.png: 0 bytes; another image takes its place"), HasSubstr("(1 of at most 10")));
}

TEST_F(Minibatch, TooManyBadImagesEndTheRunWithTheList) {
  for (int i = 0; i < 3; ++i) add_image(std::to_string(i) + ".png", 40, 30, {});
  dir_.write("0.png", "");
  dir_.write("1.png", "nonsense");
  options_.max_bad_images = 1;
  options_.images_per_batch = options_.images_per_micro_batch = 3;
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { builder().build(0, 0); }),
              AllOf(HasSubstr("2 image files cannot be decoded"), HasSubstr("0.png: 0 bytes"),
                    HasSubstr("1.png: 8 bytes"), HasSubstr("DATALOADER.MAX_BAD_IMAGES")));
}

TEST_F(Minibatch, AMissingFileIsFatal) {
  add_image("a.png", 40, 30, {});
  std::filesystem::remove(dir_.file("a.png"));
  EXPECT_THAT(error_of(ErrorKind::kIo, [&] { builder().build(0, 0); }), HasSubstr("a.png"));
}

TEST_F(Minibatch, RefusesABatchThatIsNoMultiple) {
  add_image("a.png", 40, 30, {});
  options_.images_per_batch = 3;
  EXPECT_THAT(error_of(ErrorKind::kConfig, [&] { builder(); }), HasSubstr("IMS_PER_BATCH 3 is not a multiple"));
}

TEST(MinibatchOfRealImages, MicroBatchesCoverTheStep) {
  const std::string folder = LOCKSTEP_SOURCE_DIR "/../shared/data/bccd";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "shared/data/bccd is not here";
  const auto dataset = std::make_shared<const Dataset>(read_coco(folder + "/instances_val.json", folder + "/images"));
  MinibatchOptions options;
  options.augment.min_sizes = {240};
  options.images_per_batch = 4;
  const MinibatchBuilder ones(dataset, options);
  options.images_per_micro_batch = 2;
  const MinibatchBuilder twos(dataset, options);
  const std::vector<Tensor> pair = twos.build(1, 1), second = ones.build(1, 3);
  EXPECT_EQ(pair[0].shape(), (Shape{2, 3, 256, 320}));
  EXPECT_EQ(pair[6].data<std::int64_t>()[1], 7);
  EXPECT_EQ(std::memcmp(pair[0].data<float>() + second[0].size(), second[0].data<float>(), second[0].bytes()), 0);
}

}  // namespace
}  // namespace lockstep
