// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/rules.h"

namespace lockstep {
namespace {

constexpr bool kAtStart = true, kCheckOnly = false;
constexpr const char* kCategories = "Categories";
constexpr const char* kImages = "Image records";
constexpr const char* kAnnotations = "Annotations";
constexpr const char* kBoxes = "Boxes";
constexpr const char* kVoc = "Pascal VOC";
constexpr const char* kYolo = "YOLO";
constexpr const char* kFiles = "Image files";

}  // namespace

const std::vector<RuleInfo>& rule_table() {
  using enum Rule;
  using enum Policy;
  // clang-format off: one rule reads as one paragraph
  static const std::vector<RuleInfo> kTable = {
      {kCategoryMalformed, "category-malformed", kCategories, kFail, kAtStart, "categories that cannot be read",
       "A category is no object, or its `id` or `name` is missing or of another type."},
      {kCategoryIdTwice, "category-id-twice", kCategories, kFail, kAtStart,
       "category ids that stand for two categories",
       "Two categories have one id. Ids may start anywhere and have gaps."},
      {kCategoryNameTwice, "category-name-twice", kCategories, kFail, kAtStart,
       "category names that stand for two categories",
       "Two categories have one name; classes are paired between data sets by name."},
      {kCategoryNameSimilar, "category-name-similar", kCategories, kKeep, kCheckOnly,
       "category names that differ from another only in case or blanks",
       "`Car` and `car `: probably one class that was written in two ways."},
      {kCategoryWithoutBoxes, "category-without-boxes", kCategories, kKeep, kAtStart,
       "categories have no box in any image",
       "The class cannot be learned from this data; its average precision is not defined. Training refuses it unless "
       "DATASETS.ALLOW_EMPTY_CATEGORIES is True."},
      {kCategoryGroup, "category-group", kCategories, kDrop, kAtStart,
       "categories dropped because they are the supercategory of others and have no box",
       "Roboflow's COCO export lists the name of the project as a category."},

      {kImageMalformed, "image-malformed", kImages, kFail, kAtStart, "image records that cannot be read",
       "An image is no object, `id` or `file_name` is missing or of another type, or the size is below 1 x 1."},
      {kImageIdTwice, "image-id-twice", kImages, kFail, kAtStart, "image ids that stand for two images",
       "Two images have one id (`1` and `\"1\"` are one), so their annotations cannot be told apart."},
      {kImageFileTwice, "image-file-twice", kImages, kKeep, kCheckOnly, "images whose file stands in the list before",
       "Two records name one file: the picture is trained on twice, perhaps with half of its boxes each time."},
      {kImagePathMended, "image-path-mended", kImages, kFix, kAtStart,
       "images found only after their 'file_name' was read in another way",
       "Backslashes are taken as folders, and a name that starts with the image directory's own folder "
       "(`images/a.jpg` in `.../images`) as relative to the folder above. Only where the file exists then."},
      {kImageSizeMissing, "image-size-missing", kImages, kFix, kAtStart,
       "images without 'width' and 'height', read from the files",
       "The size is read from the image file. VOC sizes of 0 count as missing."},
      {kImageWithoutBoxes, "image-without-boxes", kImages, kKeep, kCheckOnly, "images without a box",
       "Background. Training leaves them out unless DATALOADER.FILTER_EMPTY_ANNOTATIONS is False."},
      {kImageOnlyCrowd, "image-only-crowd", kImages, kKeep, kCheckOnly, "images in which all boxes are crowd regions",
       "Some tools export every RLE mask with `iscrowd` 1. Such images give nothing to train on; set it to 0."},
      {kImageManyBoxes, "image-many-boxes", kImages, kKeep, kCheckOnly, "images with more than 100 boxes",
       "COCO evaluation looks at 100 detections in an image: even a perfect model cannot find all of them."},

      {kAnnotationMalformed, "annotation-malformed", kAnnotations, kFail, kAtStart, "annotations that cannot be read",
       "An annotation is no object, or a value is missing or of another type: `bbox` is not four numbers, `iscrowd` is "
       "neither 0 nor 1, an id is no integer (integral floats and numbers in quotes are)."},
      {kAnnotationIdMissing, "annotation-id-missing", kAnnotations, kFix, kCheckOnly,
       "annotations without 'id', numbered in the order of the file",
       "Annotations are read as a list; their ids are not needed."},
      {kAnnotationIdTwice, "annotation-id-twice", kAnnotations, kKeep, kCheckOnly,
       "annotations whose id another one has",
       "All of them are used. Tools that look annotations up by id keep only the last."},
      {kImageIdUnknown, "image-id-unknown", kAnnotations, kFail, kAtStart,
       "annotations of images that are not in the file", "`image_id` names no image."},
      {kCategoryIdUnknown, "category-id-unknown", kAnnotations, kFail, kAtStart,
       "annotations of categories that are not in the file",
       "`category_id` names no category; often ids that start at 0 in one list and at 1 in the other."},
      {kBboxFromSegmentation, "bbox-from-segmentation", kAnnotations, kFix, kAtStart,
       "annotations without 'bbox', which was taken from 'segmentation'",
       "The box around the polygons or the RLE mask."},
      {kSegmentationUnusable, "segmentation-unusable", kAnnotations, kKeep, kCheckOnly,
       "annotations whose segmentation is empty or no polygon",
       "`[]`, `[[]]`, an odd number of coordinates or fewer than three points. The box is used."},
      {kIscrowdMissing, "iscrowd-missing", kAnnotations, kFix, kAtStart, "annotations without 'iscrowd', taken as 0",
       "Taken as 0: one object."},
      {kAreaMissing, "area-missing", kAnnotations, kFix, kAtStart,
       "annotations without 'area', taken as width * height",
       "The area decides the size class (small, medium, large) in evaluation."},
      {kBoxIgnored, "box-ignored", kAnnotations, kDrop, kAtStart, "annotations dropped because they say 'ignore': 1",
       "As in Detectron."},

      {kBoxWithoutSize, "box-without-size", kBoxes, kDrop, kAtStart,
       "boxes dropped because their width or height is not positive",
       "Width or height is zero or negative (VOC: xmax <= xmin), which would give infinite losses."},
      {kBoxOutside, "box-outside", kBoxes, kDrop, kAtStart, "boxes dropped because they lie outside their image",
       "Nothing is left after clipping."},
      {kBoxClipped, "box-clipped", kBoxes, kFix, kAtStart, "boxes clipped to their image",
       "The part outside the image is cut off; a thousandth of a pixel is not counted."},
      {kBoxLooksLikeCorners, "box-looks-like-corners", kBoxes, kKeep, kAtStart,
       "boxes look like x1, y1, x2, y2 where COCO has x, y, width, height",
       "The box leaves its image as x, y, width, height, but read as two corners it fits. Convert the file if most of "
       "its boxes are listed here."},
      {kBoxLooksNormalised, "box-looks-normalised", kBoxes, kKeep, kAtStart,
       "boxes lie within the first pixel: are the coordinates parts of the image size?",
       "COCO and VOC have pixels; coordinates of 0 to 1 are YOLO's."},
      {kBoxBelowOnePixel, "box-below-one-pixel", kBoxes, kKeep, kCheckOnly, "boxes with a side below one pixel",
       "They are trained on, and will hardly be found."},
      {kBoxCoversImage, "box-covers-image", kBoxes, kKeep, kCheckOnly, "boxes that are their whole image",
       "Right for portraits, wrong where a tool wrote the image size for lack of a box."},
      {kBoxTwice, "box-twice", kBoxes, kKeep, kCheckOnly, "boxes that repeat another of the same class and place",
       "The second one counts as a missed object in evaluation."},

      {kVocFileUnreadable, "voc-file-unreadable", kVoc, kFail, kAtStart, "annotation files that cannot be read",
       "The file is empty, no well-formed XML, or its root is not `annotation`."},
      {kVocObjectMalformed, "voc-object-malformed", kVoc, kFail, kAtStart, "objects that cannot be read",
       "An object has no `name`, no `bndbox`, or a corner that is no number."},
      {kVocZeroBased, "voc-zero-based", kVoc, kFix, kAtStart,
       "boxes start at 0, so coordinates of this data set are taken to count from 0",
       "VOC counts pixels from 1, so 1 is taken off xmin and ymin as Detectron2 does; not in data sets where a box "
       "starts at 0."},
      {kVocDifficult, "voc-difficult", kVoc, kKeep, kCheckOnly, "objects marked difficult, used like the others",
       "Detectron2 trains on them too; COCO evaluation, which is used here, knows no such mark."},
      {kVocNameDiffers, "voc-name-differs", kVoc, kFix, kCheckOnly,
       "annotation files whose 'filename' is another than their own name",
       "The image named like the XML file is taken if there is one, else the one in `filename`."},
      {kVocImageUnlabelled, "voc-image-unlabelled", kVoc, kFail, kAtStart,
       "images of the split list without an annotation file",
       "The list names an image for which there is no XML file. A picture without objects needs one without objects."},

      {kYoloLineMalformed, "yolo-line-malformed", kYolo, kFail, kAtStart, "lines that cannot be read",
       "A line is neither `class x y width height` nor `class x1 y1 x2 y2 x3 y3 ...` with finite numbers."},
      {kYoloClassUnknown, "yolo-class-unknown", kYolo, kFail, kAtStart,
       "lines whose class has no name in the data file",
       "The class is negative, no integer, or not below the number of `names`."},
      {kYoloOutOfRange, "yolo-out-of-range", kYolo, kDrop, kAtStart,
       "lines dropped because their coordinates are no parts of the image size",
       "A coordinate is above 2 or below -1: pixels where parts (0 to 1) are wanted."},
      {kYoloPolygon, "yolo-polygon", kYolo, kFix, kAtStart, "polygons, of which the box around them is used",
       "Lines of segmentation or oriented boxes."},
      {kYoloImageUnlabelled, "yolo-image-unlabelled", kYolo, kKeep, kCheckOnly,
       "images without a label file, taken as background",
       "As YOLO does. When all images are listed here, the labels lie elsewhere."},
      {kYoloLabelWithoutImage, "yolo-label-without-image", kYolo, kKeep, kCheckOnly, "label files without an image",
       "The image was lost, or has a name with another ending or spelling."},

      {kFileMissing, "file-missing", kFiles, kFail, kAtStart, "image files that do not exist",
       "Wrong image directory or wrong `file_name`; names are compared byte by byte."},
      {kFileUndecodable, "file-undecodable", kFiles, kDrop, kCheckOnly, "image files that cannot be decoded",
       "Empty, cut short or damaged. Training puts another image in their place, for at most "
       "DATALOADER.MAX_BAD_IMAGES files."},
      {kFileUnsupported, "file-unsupported", kFiles, kFail, kCheckOnly, "image files of a format that is not read",
       "The format is told by the first bytes, not by the name."},
      {kFileSizeDiffers, "file-size-differs", kFiles, kFail, kCheckOnly,
       "image files of another size than the annotation file says",
       "The picture was resized after annotation, and boxes would be in wrong places. A turned picture is no such "
       "case (`file-turned`)."},
      {kFileTurned, "file-turned", kFiles, kFix, kCheckOnly, "image files with an EXIF orientation that is not upright",
       "The picture is turned when the annotated size is the turned one, and left when it is the stored one."},
      {kFileNameMisleads, "file-name-misleads", kFiles, kKeep, kCheckOnly,
       "image files whose name says another format than their bytes",
       "A PNG called .jpg is read as the PNG that it is."},
      {kFileGrey, "file-grey", kFiles, kFix, kCheckOnly, "grey image files, read as three equal channels",
       "One channel in the file; the network gets three."},
      {kFileAlpha, "file-alpha", kFiles, kFix, kCheckOnly, "image files with transparency, which is dropped",
       "The colours are used as they are stored."},
      {kFileSixteenBit, "file-sixteen-bit", kFiles, kFix, kCheckOnly,
       "image files with 16 bits in a channel, read with 8", "The range is scaled, not cut off."},
      {kFileCmyk, "file-cmyk", kFiles, kKeep, kCheckOnly, "image files in ink colours (CMYK)",
       "From printing; colours after conversion are approximate."},
      {kFileExtremeShape, "file-extreme-shape", kFiles, kKeep, kCheckOnly, "images more than 10 times as long as wide",
       "Their shorter edge will be a few pixels after resizing."},
      {kFileCopies, "file-copies", kFiles, kKeep, kCheckOnly, "image files with the same bytes as another one",
       "Copies in training count twice; copies in training and test data make the test worthless. Looked for with "
       "`--decode full`."},
      {kFileUnlisted, "file-unlisted", kFiles, kKeep, kCheckOnly,
       "pictures in the image directory that no record names",
       "They are not used. Often the annotations of a part were forgotten."},
  };
  // clang-format on
  return kTable;
}

}  // namespace lockstep
