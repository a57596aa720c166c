// SPDX-License-Identifier: Apache-2.0
#include "data/odd_cases.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

std::string many_boxes() {
  std::string text;
  for (int i = 1; i <= 101; ++i) {
    text += fmt::format(
        "{}{{\"id\": {}, \"image_id\": 1, \"category_id\": 1, \"bbox\": [{}, {}, 8, 8], \"area\": 64, "
        "\"iscrowd\": 0}}",
        i == 1 ? "" : ", ", i, i % 90, i / 10);
  }
  return text;
}

}  // namespace

const std::vector<OddCase>& odd_annotations() {
  using enum OddFormat;
  // clang-format off: one case, one entry
  static const std::vector<OddCase> kCases = {
      {"Good", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0}",
       "", "", 1},
      {"NoIscrowd", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400}", "",
       "iscrowd-missing:1", 1},
      {"NoArea", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"iscrowd\": 0}", "",
       "area-missing:1", 1},
      {"NoId", kCocoAnnotation,
       "{\"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd\": 0}", "",
       "annotation-id-missing:1", 1},
      {"NullIscrowdAndArea", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": null, \"iscrow"
       "d\": null}",
       "", "iscrowd-missing:1 area-missing:1", 1},
      {"IdTwice", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [40, 10, 5, 5], \"area\": 400, \"isc"
       "rowd\": 0}",
       "", "annotation-id-twice:1", 2},
      {"SameBoxTwice", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"i"
       "scrowd\": 0}",
       "", "box-twice:1", 2},
      {"ImageIdAsText", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": \"1\", \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscro"
       "wd\": 0}",
       "", "", 1},
      {"CategoryIdAsFloat", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1.0, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscro"
       "wd\": 0}",
       "", "", 1},
      {"ImageIdUnknown", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 9, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"i"
       "scrowd\": 0}",
       "no image has this id", "image-id-unknown:1", 1},
      {"CategoryIdUnknown", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 0, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"i"
       "scrowd\": 0}",
       "no category has this id", "category-id-unknown:1", 1},
      {"ImageIdMissing", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd\": 0}",
       "has no 'image_id'", "annotation-malformed:1", 1},
      {"ImageIdNull", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": null, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400,"
       " \"iscrowd\": 0}",
       "has 'image_id' null", "annotation-malformed:1", 1},
      {"ImageIdHalf", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1.5, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, "
       "\"iscrowd\": 0}",
       "has 'image_id' 1.5", "annotation-malformed:1", 1},
      {"BboxMissing", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"area\": 400, \"iscrowd\": 0}",
       "has no 'bbox'", "annotation-malformed:1", 1},
      {"BboxFromPolygon", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"area\": 400, \"iscrowd\": 0, \"segmentation\": [[10"
       ", 10, 30, 10, 30, 30]]}",
       "", "bbox-from-segmentation:1", 1},
      {"BboxFromFlatPolygon", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"area\": 400, \"iscrowd\": 0, \"segmentation\": [10,"
       " 10, 30, 10, 30, 30]}",
       "", "bbox-from-segmentation:1", 1},
      {"BboxFromRle", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"area\": 400, \"iscrowd\": 0, \"segmentation\": {\"si"
       "ze\": [50, 100], \"counts\": [510, 5, 45, 5, 4435]}}",
       "", "bbox-from-segmentation:1", 1},
      {"BboxFromCompressedRle", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"area\": 400, \"iscrowd\": 0, \"segmentation\": {\"si"
       "ze\": [50, 100], \"counts\": \"n?5]10VY4\"}}",
       "", "bbox-from-segmentation:1", 1},
      {"BboxFromBrokenRle", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"area\": 400, \"iscrowd\": 0, \"segmentation\""
       ": {\"size\": [50, 100], \"counts\": \"~~\"}}",
       "has no 'bbox'", "annotation-malformed:1", 1},
      {"BboxOfThree", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [1, 2, 3], \"area\": 400, \"iscrowd\""
       ": 0}",
       "wanted 4 numbers", "annotation-malformed:1", 1},
      {"BboxOfFive", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [1, 2, 3, 4, 5], \"area\": 400, \"is"
       "crowd\": 0}",
       "wanted 4 numbers", "annotation-malformed:1", 1},
      {"BboxOfTexts", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [\"1\", 2, 3, 4], \"area\": 400, \"isc"
       "rowd\": 0}",
       "wanted 4 numbers", "annotation-malformed:1", 1},
      {"BboxNull", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [null, 2, 3, 4], \"area\": 400, \"is"
       "crowd\": 0}",
       "wanted 4 numbers", "annotation-malformed:1", 1},
      {"SegmentationNull", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0, \"segmentation\": null}",
       "", "", 1},
      {"SegmentationEmpty", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0, \"segmentation\": []}",
       "", "segmentation-unusable:1", 1},
      {"SegmentationNested", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0, \"segmentation\": [[]]}",
       "", "segmentation-unusable:1", 1},
      {"SegmentationObject", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0, \"segmentation\": {}}",
       "", "segmentation-unusable:1", 1},
      {"SegmentationOdd", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0, \"segmentation\": [[1, 2, 3, 4, 5, 6, 7]]}",
       "", "segmentation-unusable:1", 1},
      {"SegmentationTwoPoints", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0, \"segmentation\": [[1, 2, 3, 4]]}",
       "", "segmentation-unusable:1", 1},
      {"ZeroHeight", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [94.79, 19.9, 7.73, 0], \"area\": 4"
       "00, \"iscrowd\": 0}",
       "", "box-without-size:1", 1},
      {"NegativeWidth", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [30, 10, -5, 6], \"area\": 400, \"is"
       "crowd\": 0}",
       "", "box-without-size:1", 1},
      {"PartlyOutside", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [-1, -1, 60, 30], \"area\": 400, \"iscrowd"
       "\": 0}",
       "", "box-clipped:1", 1},
      {"FullyOutside", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [200, 10, 5, 5], \"area\": 400, \"is"
       "crowd\": 0}",
       "", "box-outside:1", 1},
      {"HugeCoordinates", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [-1e+300, 0, 2e+300, 50], \"area\": 400, "
       "\"iscrowd\": 0}",
       "", "box-clipped:1 box-covers-image:1", 1},
      {"CornersInsteadOfSize", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [40, 10, 90, 45], \"area\": 400, \"iscrowd"
       "\": 0}",
       "", "box-clipped:1 box-looks-like-corners:1", 1},
      {"NormalisedCoco", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [0.1, 0.1, 0.5, 0.5], \"area\": 400, \"isc"
       "rowd\": 0}",
       "", "box-looks-normalised:1 box-below-one-pixel:1", 1},
      {"SubPixel", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 0.5, 5], \"area\": 400, \"iscrowd"
       "\": 0}",
       "", "box-below-one-pixel:1", 1},
      {"WholeImage", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [0, 0, 100, 50], \"area\": 400, \"iscrowd\""
       ": 0}",
       "", "box-covers-image:1", 1},
      {"Ignored", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"i"
       "scrowd\": 0, \"ignore\": 1}",
       "", "box-ignored:1", 1},
      {"CrowdOnly", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 1, \"segmentation\": {\"size\": [50, 100], \"counts\": [10, 20, 4970]}}",
       "", "image-only-crowd:1", 1},
      {"IscrowdTwo", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},{\"id\": 2, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"i"
       "scrowd\": 2}",
       "wanted 0 or 1", "annotation-malformed:1", 1},
      {"IscrowdTrue", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": true}",
       "", "image-only-crowd:1", 1},
      {"AnnotationIsAList", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},[1, 2]",
       "not an object", "annotation-malformed:1", 1},
      {"AnnotationIsNull", kCocoAnnotation,
       "{\"id\": 1, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 20], \"area\": 400, \"iscrowd"
       "\": 0},null",
       "not an object", "annotation-malformed:1", 1},
      {"NoAnnotations", kCocoAnnotation, "", "", "category-without-boxes:1 image-without-boxes:1", 0},
      {"ManyBoxes", kCocoAnnotation, many_boxes(), "", "image-many-boxes:1", 101},
  };
  // clang-format on
  return kCases;
}

}  // namespace lockstep
