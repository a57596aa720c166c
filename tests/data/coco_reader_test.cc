// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_reader.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kCategories = R"("categories": [{"id": 7, "name": "dog"}, {"id": 2, "name": "cat"}])";
const char* const kImages =
    R"("images": [{"id": 9, "file_name": "b.jpg", "width": 100, "height": 50},
                  {"id": 4, "file_name": "a.jpg", "width": 30, "height": 40}])";

class CocoReader : public ::testing::Test {
 protected:
  Dataset read(const std::string& json) { return read_coco(dir_.write("set.json", json), "pictures"); }
  Dataset read_with(const std::string& annotations) {
    return read(std::string("{") + kCategories + "," + kImages + ",\"annotations\": [" + annotations + "]}");
  }
  std::string data_error(const std::string& json) {
    return error_of(ErrorKind::kData, [&] { read(json); });
  }
  std::string annotation_error(const std::string& annotation) {
    return error_of(ErrorKind::kData, [&] { read_with(annotation); });
  }
  TempDir dir_;
  LogCapture log_;
};

TEST_F(CocoReader, OrdersByIdAndMapsClasses) {
  const Dataset set = read_with(
      R"({"id": 1, "image_id": 9, "category_id": 7, "bbox": [10, 5, 20, 8], "area": 99.5, "iscrowd": 0},
         {"id": 2, "image_id": 4, "category_id": 2, "bbox": [0, 0, 3, 4], "area": 12, "iscrowd": 1})");
  EXPECT_EQ(set.name, "set");
  EXPECT_EQ(category_names(set.categories), (std::vector<std::string>{"cat", "dog"}));
  ASSERT_EQ(set.images.size(), 2u);
  EXPECT_EQ(set.images[0].id, 4);
  EXPECT_EQ(set.images[1].path, "pictures/b.jpg");
  ASSERT_EQ(set.images[1].boxes.size(), 1u);
  const GroundTruthBox& box = set.images[1].boxes[0];
  EXPECT_EQ(box.x1, 10);
  EXPECT_EQ(box.x2, 30);  // x1 + width, without the + 1 of older conventions
  EXPECT_EQ(box.y2, 13);
  EXPECT_EQ(box.class_index, 1);
  EXPECT_EQ(box.area, 99.5);
  EXPECT_TRUE(set.images[0].boxes[0].crowd);
  EXPECT_EQ(log_.text(), "");
}

TEST_F(CocoReader, FillsWhatIsMissingAndSaysSo) {
  const Dataset set = read_with(R"({"image_id": "9", "category_id": 7.0, "bbox": [1, 2, 3, 4], "segmentation": null})");
  const GroundTruthBox& box = set.images[1].boxes.at(0);
  EXPECT_EQ(box.area, 12);
  EXPECT_FALSE(box.crowd);
  EXPECT_EQ(box.annotation_id, 1);
  EXPECT_THAT(log_.text(), AllOf(HasSubstr("1 annotations without 'iscrowd', taken as 0"), HasSubstr("without 'area'"),
                                 HasSubstr("1 categories have no box in any image (first: cat)")));
}

TEST_F(CocoReader, ClipsAndDropsBoxesWithCounts) {
  const Dataset set = read_with(
      R"({"id": 1, "image_id": 9, "category_id": 2, "bbox": [-10, -10, 30, 1000], "area": 1, "iscrowd": 0},
         {"id": 2, "image_id": 9, "category_id": 7, "bbox": [940.79, 197.9, 77.73, 0], "area": 1, "iscrowd": 0},
         {"id": 3, "image_id": 9, "category_id": 7, "bbox": [10, 10, -5, 6], "area": 1, "iscrowd": 0},
         {"id": 4, "image_id": 9, "category_id": 7, "bbox": [200, 10, 5, 6], "area": 1, "iscrowd": 0},
         {"id": 5, "image_id": 9, "category_id": 7, "bbox": [2, 1, 5, 6], "area": 1, "iscrowd": 0, "ignore": 1},
         {"id": 6, "image_id": 4, "category_id": 7, "bbox": [2, 1, 5, 6], "area": 1, "iscrowd": 0})");
  ASSERT_EQ(set.images[1].boxes.size(), 1u);
  EXPECT_EQ(set.images[1].boxes[0].x1, 0);
  EXPECT_EQ(set.images[1].boxes[0].y2, 50);
  EXPECT_THAT(log_.text(),
              AllOf(HasSubstr("2 boxes dropped because their width or height is not positive (first: annotation 2"),
                    HasSubstr("1 boxes dropped because they lie outside their image (first: annotation 4"),
                    HasSubstr("'ignore': 1"), HasSubstr("1 boxes clipped to their image (first: annotation 1")));
}

TEST_F(CocoReader, ReadsAFileWithAByteOrderMark) {
  EXPECT_EQ(read(std::string("\xEF\xBB\xBF{") + kCategories + "," + kImages + ", \"annotations\": []}").images.size(),
            2u);
}

TEST_F(CocoReader, MissingFileIsADataError) {
  EXPECT_THAT(error_of(ErrorKind::kData, [] { read_coco("/nowhere/x.json", ""); }),
              AllOf(HasSubstr("/nowhere/x.json"), HasSubstr("does not exist")));
}

TEST_F(CocoReader, RefusesWhatIsNotJson) {
  EXPECT_THAT(data_error("hello"), HasSubstr("set.json:1:1: not valid JSON: found 'hello', wanted a value"));
  EXPECT_THAT(data_error(""), HasSubstr("the file is empty"));
  EXPECT_THAT(data_error("{\"images\": ["), HasSubstr("set.json:1:13: not valid JSON: the file ends"));
  EXPECT_THAT(data_error("{}\n {}"),
              HasSubstr("set.json:2:2: not valid JSON: the data are followed by something else"));
  EXPECT_THAT(data_error("\xFF\xFE{"), HasSubstr("UTF-16"));
  EXPECT_THAT(data_error("[1, 2]"), HasSubstr("top level is not an object"));
}

TEST_F(CocoReader, NamesAMissingOrWrongList) {
  EXPECT_THAT(data_error(std::string("{") + kImages + ", \"annotations\": []}"), HasSubstr("no list 'categories'"));
  EXPECT_THAT(data_error(std::string("{") + kCategories + ", \"annotations\": []}"), HasSubstr("no list 'images'"));
  EXPECT_THAT(data_error(std::string("{") + kCategories + "," + kImages + "}"), HasSubstr("no list 'annotations'"));
  EXPECT_THAT(data_error(std::string("{") + kCategories + ", \"images\": 3}"), HasSubstr("'images' is not a list"));
  EXPECT_THAT(data_error(R"({"categories": [], "images": [], "annotations": []})"), HasSubstr("'categories' is empty"));
  EXPECT_THAT(data_error(std::string("{") + kCategories + ", \"images\": [], \"annotations\": []}"),
              HasSubstr("'images' is empty"));
}

TEST_F(CocoReader, NamesTheBadImageRecord) {
  const auto with_images = [&](const std::string& images) {
    return data_error(std::string("{") + kCategories + ", \"images\": [" + images + "], \"annotations\": []}");
  };
  EXPECT_THAT(with_images(R"({"id": 5, "width": 3, "height": 3})"),
              AllOf(HasSubstr("image 5 (number 1 of 'images')"), HasSubstr("has no 'file_name'; wanted a text")));
  EXPECT_THAT(with_images(R"({"id": 5, "file_name": 3, "width": 3, "height": 3})"), HasSubstr("'file_name' 3"));
  EXPECT_THAT(with_images(R"({"id": "x", "file_name": "a", "width": 3, "height": 3})"), HasSubstr("wanted an integer"));
  EXPECT_THAT(with_images(R"({"id": 5, "file_name": "a", "width": 0, "height": 3})"), HasSubstr("0 x 3"));
  EXPECT_THAT(with_images(R"("a.jpg")"), HasSubstr("not an object"));
  EXPECT_THAT(with_images(R"({"id": 1, "file_name": "a", "width": 3, "height": 3},
                             {"id": "1", "file_name": "b", "width": 3, "height": 3})"),
              HasSubstr("two images have the id 1: 'a' and 'b'"));
}

TEST_F(CocoReader, NamesTheBadAnnotation) {
  EXPECT_THAT(annotation_error(R"({"id": 3, "image_id": 8, "category_id": 2, "bbox": [1, 1, 2, 2]})"),
              AllOf(HasSubstr("annotation 3 (number 1 of 'annotations')"), HasSubstr("no image has this id")));
  EXPECT_THAT(annotation_error(R"({"id": 3, "image_id": 9, "category_id": 0, "bbox": [1, 1, 2, 2]})"),
              HasSubstr("no category has this id (they go from 2 to 7)"));
  EXPECT_THAT(annotation_error(R"({"id": 3, "image_id": 9, "category_id": 2, "segmentation": []})"),
              HasSubstr("has no 'bbox'; wanted 4 numbers"));
  EXPECT_THAT(annotation_error(R"({"id": 3, "image_id": 9, "category_id": 2, "bbox": [1, 1, 2]})"),
              HasSubstr("'bbox' [1,1,2]; wanted 4 numbers"));
  EXPECT_THAT(annotation_error(R"({"id": 3, "image_id": 9, "category_id": 2, "bbox": [1, 1, "2", 2]})"),
              HasSubstr("wanted 4 numbers"));
  EXPECT_THAT(annotation_error(R"({"id": 3, "image_id": 9, "category_id": 2, "bbox": [1, 1, 2, 2], "iscrowd": 5})"),
              HasSubstr("wanted 0 or 1"));
}

// What is wrong is named with line and column, in what is read and in what is skipped.
TEST_F(CocoReader, NamesLineAndColumn) {
  const std::string front = std::string("{") + kCategories + ",\n" + kImages + ",\n\"annotations\": [\n";
  const std::string record = R"({"id": 3, "image_id": 9, "category_id": 2, "bbox": [1, 1, 2, 2], "area": 4,)";
  const auto error_in = [&](const std::string& text) { return data_error(front + text + "]}"); };
  EXPECT_THAT(error_in(record + "\n \"iscrowd\": NaN}"), HasSubstr("set.json:6:13: not valid JSON: found 'NaN'"));
  EXPECT_THAT(error_in(record + "\n \"iscrowd\": 5}"),
              HasSubstr("annotation 3 (number 1 of 'annotations') of " + dir_.file("set.json") +
                        ":6:13 has 'iscrowd' 5; wanted 0 or 1"));
  EXPECT_THAT(error_in(R"({"id": 3, "image_id": 8, "category_id": 2, "bbox": [1, 1, 2, 2]})"),
              HasSubstr("set.json:5:23 has image_id 8"));
  EXPECT_THAT(error_in(R"({"id": 3, "image_id": 9, "category_id": 0, "bbox": [1, 1, 2, 2]})"),
              HasSubstr("set.json:5:41 has category_id 0"));
  EXPECT_THAT(error_in(record + "\"iscrowd\": 0},\n 7"),
              HasSubstr("number 2 of 'annotations' of " + dir_.file("set.json") + ":6:2 is 7, not an object"));
  EXPECT_THAT(error_in(R"({"id": 3, "image_id": 9, "category_id": 2})"), HasSubstr("set.json:5:1 has no 'bbox'"));
  EXPECT_THAT(error_in(R"({"id": 3, "image_id": 9, "category_id": 2, "segmentation": [[1, 1, 5, 5], ["a"]]})"),
              HasSubstr("set.json:5:1 has no 'bbox'"));
  EXPECT_THAT(data_error(std::string("{") + kCategories + ",\n \"images\": 3, \"annotations\": []}"),
              HasSubstr("set.json:2:12: 'images' is not a list"));
  EXPECT_THAT(data_error(std::string("{") + kCategories + R"(, "images": [
  {"id": 1, "file_name": "a", "width": 3, "height": 3},
  {"file_name": "b", "width": 3, "height": 3, "id": "1"}], "annotations": []})"),
              HasSubstr("set.json:3:53: two images have the id 1"));
}

// A whole look at the file finds what reading for boxes may skip.
TEST_F(CocoReader, ACheckFindsFaultsInPolygons) {
  const auto error_in = [&](const std::string& polygon) {
    const std::string path = dir_.write(
        "set.json", std::string("{") + kCategories + "," + kImages + ",\n\"annotations\": [{\"segmentation\": [[" +
                        polygon + R"(]], "id": 3, "image_id": 9, "category_id": 2, "bbox": [1, 1, 2, 2]}]})");
    return error_of(ErrorKind::kData, [&] {
      DataReport report(DataReport::Mode::kCollect);
      read_coco(path, "", report);
    });
  };
  EXPECT_THAT(error_in("1,,2"), HasSubstr("set.json:3:38: not valid JSON: found ',', wanted a value"));
  EXPECT_THAT(error_in("1, 02"), HasSubstr("set.json:3:39: not valid JSON: found a number that begins with 0"));
  EXPECT_THAT(error_in("1, NaN"), HasSubstr("set.json:3:39: not valid JSON: found 'NaN'"));
}

TEST_F(CocoReader, RefusesTwoCategoriesWithOneId) {
  EXPECT_THAT(data_error(std::string(R"({"categories": [{"id": 1, "name": "a"}, {"id": 1, "name": "b"}],)") + kImages +
                         ", \"annotations\": []}"),
              HasSubstr("two categories have the id 1: 'a' and 'b'"));
}

TEST_F(CocoReader, ReadsRealAnnotations) {
  const std::string folder = LOCKSTEP_SOURCE_DIR "/../shared/data/bccd";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "shared/data/bccd is not here";
  const Dataset set = read_coco(folder + "/instances_train.json", folder + "/images");
  EXPECT_EQ(set.images.size(), 291u);
  std::size_t boxes = 0;
  for (const ImageRecord& image : set.images) boxes += image.boxes.size();
  EXPECT_EQ(boxes, 3929u);
  EXPECT_EQ(category_names(set.categories), (std::vector<std::string>{"Platelets", "RBC", "WBC"}));
  check_images_exist(set);
}

}  // namespace
}  // namespace lockstep
