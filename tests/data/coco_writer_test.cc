// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_writer.h"

#include <gtest/gtest.h>

#include <set>

#include "data/data_test_util.h"
#include "lockstep/data/coco_reader.h"
#include "lockstep/data/split.h"

namespace lockstep {
namespace {

Dataset two_images() {
  return {"set",
          {{3, "cat \"a\""}, {5, "dog"}},
          {{4, "a.jpg", "/pictures/in/a.jpg", 30, 40, {{0, 0, 3.1f, 4, 1, true, 12.5, 77}}},
           {9, "b.jpg", "/pictures/b.jpg", 100, 50, {{10, 5, 30, 13, 0, false, 160, 78}}}}};
}

TEST(CocoJson, ReadsBackAsTheSameData) {
  const TempDir dir;
  const Dataset set = two_images();
  const Dataset back = read_coco(dir.write("set.json", coco_json(set, "/pictures")), "/pictures");
  ASSERT_EQ(back.images.size(), 2u);
  EXPECT_EQ(category_names(back.categories), category_names(set.categories));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.images[i].id, set.images[i].id);
    EXPECT_EQ(back.images[i].path, set.images[i].path);
    EXPECT_EQ(back.images[i].width, set.images[i].width);
    const GroundTruthBox &a = back.images[i].boxes.at(0), &b = set.images[i].boxes[0];
    EXPECT_EQ(a.x1, b.x1);
    EXPECT_EQ(a.x2, b.x2);
    EXPECT_EQ(a.y2, b.y2);
    EXPECT_EQ(a.class_index, b.class_index);
    EXPECT_EQ(a.crowd, b.crowd);
    EXPECT_EQ(a.area, b.area);
  }
}

TEST(CocoJson, NumbersImagesAnewWhereIdsRepeat) {
  const TempDir dir;
  Dataset set = two_images();
  set.images[1].id = 4;
  const Dataset back = read_coco(dir.write("set.json", coco_json(set, "")), "elsewhere");
  EXPECT_EQ(back.images[0].id, 1);
  EXPECT_EQ(back.images[1].id, 2);
  EXPECT_EQ(back.images[1].path, "/pictures/b.jpg");  // absolute names stay
}

TEST(SplitByName, DependsOnTheNameOnly) {
  Dataset set{"set", {{1, "cat"}}, {}};
  for (int i = 0; i < 1000; ++i) set.images.push_back({i, fmt::format("{}.jpg", i), "", 5, 5, {}});
  const auto [train, val] = split_by_name(set, 0.2);
  EXPECT_EQ(train.images.size() + val.images.size(), 1000u);
  EXPECT_NEAR(static_cast<double>(val.images.size()), 200, 40);
  std::set<std::string> held;
  for (const ImageRecord& image : val.images) held.insert(image.file_name);
  set.images.erase(set.images.begin(), set.images.begin() + 500);
  for (const ImageRecord& image : split_by_name(set, 0.2).second.images) EXPECT_TRUE(held.contains(image.file_name));
}

TEST(SplitByName, KeepsAugmentedCopiesTogether) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(is_held_out(fmt::format("img{}_jpg.rf.0a1b.jpg", i), 0.5),
              is_held_out(fmt::format("img{}_jpg.rf.ffff.jpg", i), 0.5));
  }
}

TEST(SplitByName, RefusesEmptyParts) {
  Dataset set{"set", {{1, "cat"}}, {{1, "a.jpg", "", 5, 5, {}}}};
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { split_by_name(set, 0.5); }), ::testing::HasSubstr("one part is empty"));
  EXPECT_THAT(error_of(ErrorKind::kConfig, [&] { split_by_name(set, 1); }), ::testing::HasSubstr("between 0 and 1"));
}

}  // namespace
}  // namespace lockstep
