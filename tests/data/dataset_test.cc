// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/dataset.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

GroundTruthBox box(std::int32_t class_index, bool crowd = false) { return {0, 0, 1, 1, class_index, crowd, 1, 1}; }

TEST(Concatenate, PairsClassesByName) {
  Dataset a{"a", {{1, "cat"}, {2, "dog"}}, {{1, "x", "x", 5, 5, {box(0)}}}};
  Dataset b{"b", {{5, "dog"}, {6, "cat"}}, {{1, "y", "y", 5, 5, {box(0)}}}};
  const Dataset all = concatenate({a, b});
  EXPECT_EQ(all.name, "a+b");
  ASSERT_EQ(all.images.size(), 2u);
  EXPECT_EQ(all.images[1].boxes[0].class_index, 1);  // dog
}

TEST(Concatenate, NamesBothListsWhenCategoriesDiffer) {
  const Dataset a{"a", {{1, "cat"}}, {}}, b{"b", {{1, "car"}}, {}};
  EXPECT_THAT(error_of(ErrorKind::kData,
                       [&] {
                         concatenate({a, b});
                       }),
              HasSubstr("the categories of 'b' (car) are not those of 'a' (cat)"));
}

TEST(MemoryOf, StaysWithinItsBudget) {
  Dataset set{"coco", {{1, "cat"}}, {}};
  for (int i = 0; i < 1000; ++i) {
    const std::string name = fmt::format("{:012}.jpg", i);
    set.images.push_back({i, name, "datasets/coco/train2017/" + name, 640, 480, {}});
    set.images.back().boxes.assign(7, box(0));
    set.images.back().boxes.shrink_to_fit();
  }
  set.images.shrink_to_fit();
  EXPECT_LE(sizeof(GroundTruthBox), 120u);
  EXPECT_LE(memory_of(set), 1000 * (200 + 7 * 40) + 200);  // bytes: 200 for an image, 40 for a box
  EXPECT_GT(memory_of(set), 1000 * 7 * 40);
}

TEST(MapToCategories, AcceptsFewerClassesAndRefusesBoxesOfOthers) {
  Dataset few{"few", {{9, "dog"}}, {{1, "x", "x", 5, 5, {box(0)}}}};
  map_to_categories(few, {{1, "cat"}, {2, "dog"}}, "train");
  EXPECT_EQ(few.images[0].boxes[0].class_index, 1);
  EXPECT_EQ(few.categories.size(), 2u);
  Dataset unused{"unused", {{1, "cat"}, {2, "cow"}}, {{1, "x", "x", 5, 5, {box(0)}}}};
  EXPECT_NO_THROW(map_to_categories(unused, {{1, "cat"}}, "train"));
  Dataset other{"other", {{1, "cat"}, {2, "cow"}}, {{1, "x", "x", 5, 5, {box(1)}}}};
  EXPECT_THAT(error_of(ErrorKind::kData,
                       [&] {
                         map_to_categories(other, {{1, "cat"}}, "train");
                       }),
              HasSubstr("the categories of 'other' (cat and cow) are not those of 'train' (cat)"));
}

TEST(CheckImageIdsDiffer, NamesBothImages) {
  Dataset set{"a+b", {}, {{7, "x.jpg", "a/x.jpg", 5, 5, {}}, {8, "y.jpg", "a/y.jpg", 5, 5, {}}}};
  EXPECT_NO_THROW(check_image_ids_differ(set));
  set.images.push_back({7, "z.jpg", "b/z.jpg", 5, 5, {}});
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { check_image_ids_differ(set); }),
              HasSubstr("data set 'a+b': the images 'a/x.jpg' and 'b/z.jpg' both have the id 7"));
}

TEST(CheckImagesExist, ListsTheFirstAndTheDirectory) {
  const TempDir dir;
  dir.write("there.jpg", "");
  Dataset set{"s", {}, {}};
  for (const char* name : {"there.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg"}) {
    set.images.push_back({7, name, dir.file(name), 5, 5, {}});
  }
  const std::string text = error_of(ErrorKind::kData, [&] { check_images_exist(set); });
  EXPECT_THAT(text, AllOf(HasSubstr("4 of the 5 images"), HasSubstr(dir.file("3.jpg")),
                          HasSubstr("'" + dir.path() + "' exists")));
  EXPECT_THAT(text, ::testing::Not(HasSubstr(dir.file("4.jpg"))));
}

TEST(FilterImagesWithoutBoxes, RemovesAndCounts) {
  Dataset set{"s", {}, {{1, "", "", 5, 5, {box(0)}}, {2, "", "", 5, 5, {}}, {3, "", "", 5, 5, {box(0, true)}}}};
  const FilteredImages dropped = filter_images_without_boxes(set);
  EXPECT_EQ(set.images.size(), 1u);
  EXPECT_EQ(dropped.without_boxes, 1u);
  EXPECT_EQ(dropped.only_crowd, 1u);
}

TEST(FilterImagesWithoutBoxes, RefusesToLeaveNothing) {
  Dataset set{"s", {}, {{3, "", "", 5, 5, {box(0, true)}}}};
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { filter_images_without_boxes(set); }),
              AllOf(HasSubstr("no image left to train on"), HasSubstr("crowd (iscrowd 1)")));
}

}  // namespace
}  // namespace lockstep
