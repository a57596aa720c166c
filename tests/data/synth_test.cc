// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/synth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/data_test_util.h"
#include "lockstep/base/check.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/synth_shapes.h"

namespace lockstep {
namespace {

TEST(Synth, WritesADataSetThatReadsBackWithoutComplaint) {
  const TempDir dir;
  const SynthSummary summary = write_synthetic_dataset(dir.path(), 60, 3);
  EXPECT_EQ(summary.train_images, 48);
  EXPECT_EQ(summary.val_images, 12);
  EXPECT_GT(summary.crowd_regions, 0);
  EXPECT_GT(summary.empty_images, 0);
  const LogCapture log;
  int boxes = 0, pngs = 0;
  for (const DataSplit split : {DataSplit::kTrain, DataSplit::kTest}) {
    const Dataset set = load_dataset({dir.path()}, {}, split);
    EXPECT_EQ(category_names(set.categories), (std::vector<std::string>{"circle", "square", "triangle", "star"}));
    check_images_exist(set);
    for (const ImageRecord& image : set.images) {
      load_image(image.path, {image.width, image.height});
      boxes += static_cast<int>(image.boxes.size());
      pngs += image.file_name.ends_with(".png") ? 1 : 0;
    }
  }
  EXPECT_EQ(boxes, summary.boxes);
  EXPECT_EQ(pngs, 6);
  EXPECT_EQ(log.text(), "");
}

TEST(Synth, EqualSeedsGiveEqualBytes) {
  const TempDir dir;
  for (const char* name : {"a", "b"}) write_synthetic_dataset(dir.file(name), 12, 7);
  write_synthetic_dataset(dir.file("c"), 12, 8);
  for (const char* file : {"instances_train.json", "instances_val.json", "images/000000.jpg", "images/000009.png"}) {
    const std::vector<std::uint8_t> bytes = read_file(dir.file(std::string("a/") + file));
    EXPECT_EQ(bytes, read_file(dir.file(std::string("b/") + file))) << file;
    EXPECT_NE(bytes, read_file(dir.file(std::string("c/") + file))) << file;
  }
}

TEST(Synth, RefusesBadTargets) {
  EXPECT_THAT(error_of(ErrorKind::kIo, [] { write_synthetic_dataset("/proc/nowhere", 12, 1); }),
              ::testing::HasSubstr("/proc/nowhere"));
  EXPECT_THAT(error_of(ErrorKind::kConfig, [] { write_synthetic_dataset("x", 3, 1); }),
              ::testing::HasSubstr("at least 10"));
}

// The box is the tightest one: every side touches pixels that the shape coloured.
TEST(SynthShapes, BoxesAreTight) {
  for (int kind = 0; kind < 4; ++kind) {
    for (const double angle : {0.0, 0.4, 1.9}) {
      const SynthShape shape = make_shape(static_cast<ShapeKind>(kind), {50, 40}, 25, angle, {250, 250, 250});
      Image image(100, 80);
      draw_shape(image, shape);
      double x1 = 1e9, y1 = 1e9, x2 = 0, y2 = 0;
      for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
          if (image.row(y)[3 * x] == 0) continue;
          x1 = std::min<double>(x1, x);
          y1 = std::min<double>(y1, y);
          x2 = std::max<double>(x2, x + 1);
          y2 = std::max<double>(y2, y + 1);
        }
      }
      const SynthBox box = shape_box(shape);
      EXPECT_NEAR(box[0], x1, 1.5);
      EXPECT_NEAR(box[1], y1, 1.5);
      EXPECT_NEAR(box[2], x2, 1.5);
      EXPECT_NEAR(box[3], y2, 1.5);
    }
  }
}

}  // namespace
}  // namespace lockstep
