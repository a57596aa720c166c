// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/data_test_util.h"
#include "lockstep/data/coco_reader.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

class Outline : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    write_file(dir_.file("a.json"), {bytes, text.size()});
    return dir_.file("a.json");
  }
  // The outline of a text; "whole" when the whole file is needed.
  std::string outline(const std::string& text) {
    const auto found = read_coco_outline(write(text), 4);
    if (!found) return "whole";
    EXPECT_EQ(std::string(found->text.end() - 4, found->text.end()), std::string(4, '\0'));
    return {found->text.begin(), found->text.end() - 4};
  }
  TempDir dir_;
};

TEST_F(Outline, LeavesListsOfNumbersOut) {
  EXPECT_EQ(outline(R"({"segmentation": [[1, 2.5], [-3e+1]], "id": 1})"), R"({"segmentation": [], "id": 1})");
  EXPECT_EQ(outline("\"segmentation\"\n:\t[]"), "\"segmentation\"\n:\t[]");
  EXPECT_EQ(outline(""), "");
}

TEST_F(Outline, KeepsEverythingElse) {
  for (const char* text : {
           R"({"segmentation": {"size": [1, 2], "counts": "abc"}})",  // a mask
           R"(["segmentation", [1]])",                                // no key
           R"({"my\"segmentation": [1]})",                            // another key
           R"({"segmentation": null, "bbox": [1, 2, 3, 4]})",
           R"({"a": "segmentation")",
       }) {
    EXPECT_EQ(outline(text), text);
  }
}

TEST_F(Outline, AsksForTheWholeFileWhereAListIsOdd) {
  EXPECT_EQ(outline(R"({"segmentation": [NaN, 1]})"), "whole");
  EXPECT_EQ(outline(R"({"segmentation": [["1"]]})"), "whole");
  EXPECT_EQ(outline(R"({"segmentation": [1, [2)"), "whole");
}

// Wherever the parts of the file end: within the key, before the colon, in the list, in what follows.
TEST_F(Outline, DoesNotDependOnWhereThePartsEnd) {
  const std::string record = R"({"segmentation" : [[1,2,3]], "t": "\"segmentation"})";
  const std::string outlined = R"({"segmentation" : [], "t": "\"segmentation"})";
  constexpr std::size_t kPart = std::size_t{1} << 20;
  for (std::size_t before = kPart - record.size() - 2; before < kPart + 2; ++before) {
    const std::string blanks(before, ' ');
    ASSERT_EQ(outline(blanks + record + record), blanks + outlined + outlined) << before;
  }
  EXPECT_EQ(outline(R"("segmentation")" + std::string(2 * kPart, ' ') + ":[1]"), "whole");
}

// A reader of the outline gives what one of the whole file gives; a missing bbox needs the polygons.
TEST_F(Outline, GivesTheSameData) {
  std::string records;
  for (int i = 1; i <= 10000; ++i) {  // more than one block
    records += fmt::format(R"({}{{"id": {}, "image_id": {}, "category_id": 7, "segmentation": [[1, 1, 9, 1, 9, {}]],)",
                           i > 1 ? "," : "", i, 1 + i % 3, 5 + i % 4);
    records +=
        i == 9000 ? R"( "area": 5})" : fmt::format(R"( "bbox": [{}, 1, 100, 4], "iscrowd": {}}})", i % 50, i % 2);
  }
  const std::string path = write(R"({"images": [{"id": 3, "file_name": "c", "width": 90, "height": 40},
      {"id": 1, "file_name": "a", "width": 60, "height": 40}, {"id": 2, "file_name": "b", "width": 200, "height": 40}],
      "annotations": [)" + records +
                                 R"(], "categories": [{"id": 7, "name": "x"}]})");
  DataReport quick, whole(DataReport::Mode::kCollect);  // a collecting report reads the whole file, in one block
  const Dataset a = read_coco(path, "", quick), b = read_coco(path, "", whole);
  ASSERT_EQ(a.images.size(), 3u);
  std::size_t boxes = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(a.images[i].boxes.size(), b.images[i].boxes.size());
    boxes += a.images[i].boxes.size();
    for (std::size_t k = 0; k < a.images[i].boxes.size(); ++k) {
      const GroundTruthBox &one = a.images[i].boxes[k], &other = b.images[i].boxes[k];
      EXPECT_TRUE(one.annotation_id == other.annotation_id && one.x1 == other.x1 && one.x2 == other.x2 &&
                  one.y2 == other.y2 && one.crowd == other.crowd && one.area == other.area);
    }
  }
  EXPECT_EQ(boxes, 10000u);
  for (const Rule rule : {Rule::kAreaMissing, Rule::kBboxFromSegmentation, Rule::kBoxClipped, Rule::kIscrowdMissing}) {
    EXPECT_GT(quick.count(rule), 0);
    EXPECT_EQ(quick.count(rule), whole.count(rule));
    const auto& from = quick.sources()[0].of(rule).examples;
    const auto& to = whole.sources()[0].of(rule).examples;
    ASSERT_EQ(from.size(), to.size());
    for (std::size_t i = 0; i < from.size(); ++i) EXPECT_EQ(from[i].record, to[i].record);
  }
}

TEST_F(Outline, NamesTheFirstBadRecordOfAllBlocks) {
  std::string records;
  for (int i = 1; i <= 20000; ++i) {
    records +=
        fmt::format(R"({}{{"id": {}, "image_id": {}, "category_id": 7, "segmentation": [], "bbox": [1, 1, 2, 2]}})",
                    i > 1 ? "," : "", i, i >= 9500 && i % 2 == 1 ? 5 : 1);
  }
  const std::string path = write(R"({"images": [{"id": 1, "file_name": "a", "width": 60, "height": 40}],
      "annotations": [)" + records +
                                 R"(], "categories": [{"id": 7, "name": "x"}]})");
  EXPECT_THAT(error_of(ErrorKind::kData,
                       [&] {
                         DataReport report;
                         read_coco(path, "", report);
                       }),
              HasSubstr("annotation 9501 (number 9501 of 'annotations')"));
}

}  // namespace
}  // namespace lockstep
