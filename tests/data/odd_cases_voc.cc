// SPDX-License-Identifier: Apache-2.0
#include "data/odd_cases.h"

namespace lockstep {

const std::vector<OddCase>& odd_voc_files() {
  using enum OddFormat;
  // clang-format off: one case, one entry
  static const std::vector<OddCase> kCases = {
      {"VocGood", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object>",
       "", "", 1},
      {"VocEqualCorners", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object><object><name>cat</name><bndbox><xmin>50</xmin><ymin>11</ymin><xmax>50"
       "</xmax><ymax>30</ymax></bndbox></object>",
       "", "box-without-size:1", 1},
      {"VocSwappedCorners", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object><object><name>cat</name><bndbox><xmin>60</xmin><ymin>11</ymin><xmax>50"
       "</xmax><ymax>30</ymax></bndbox></object>",
       "", "box-without-size:1", 1},
      {"VocZeroBased", kVocObject,
       "<object><name>cat</name><bndbox><xmin>0</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</ymax"
       "></bndbox></object>",
       "", "voc-zero-based:1", 1},
      {"VocOutside", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>130</xmax><ymax>30</ym"
       "ax></bndbox></object>",
       "", "box-clipped:1", 1},
      {"VocFarOutside", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object><object><name>cat</name><bndbox><xmin>300</xmin><ymin>11</ymin><xmax>3"
       "30</xmax><ymax>30</ymax></bndbox></object>",
       "", "box-outside:1", 1},
      {"VocFloats", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11.5</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30.25"
       "</ymax></bndbox></object>",
       "", "", 1},
      {"VocDifficult", kVocObject,
       "<object><name>cat</name><difficult>1</difficult><bndbox><xmin>11</xmin><ymin>11</ymin><xma"
       "x>30</xmax><ymax>30</ymax></bndbox></object>",
       "", "voc-difficult:1", 1},
      {"VocNoName", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object><object><name></name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</x"
       "max><ymax>30</ymax></bndbox></object>",
       "has no 'name'", "voc-object-malformed:1", 1},
      {"VocNoBox", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object><object><name>cat</name></object>",
       "has no 'bndbox'", "voc-object-malformed:1", 1},
      {"VocNanCorner", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object><object><name>cat</name><bndbox><xmin>nan</xmin><ymin>11</ymin><xmax>3"
       "0</xmax><ymax>30</ymax></bndbox></object>",
       "xmin 'nan'; wanted a number", "voc-object-malformed:1", 1},
      {"VocTextCorner", kVocObject,
       "<object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</yma"
       "x></bndbox></object><object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30"
       "</xmax><ymax>left</ymax></bndbox></object>",
       "ymax 'left'", "voc-object-malformed:1", 1},
      {"VocBlankName", kVocObject,
       "<object><name> cat\n</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</"
       "ymax></bndbox></object>",
       "", "", 1},
      {"VocFilenameDiffers", kVocObject,
       "<filename>b.jpg</filename><object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><x"
       "max>30</xmax><ymax>30</ymax></bndbox></object>",
       "", "voc-name-differs:1", 1},
      {"VocNoSize", kVoc,
       "<annotation><object><name>cat</name><bndbox><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><"
       "ymax>30</ymax></bndbox></object></annotation>",
       "", "image-size-missing:1", 1},
      {"VocSizeZero", kVoc,
       "<annotation><size><width>0</width><height>0</height></size><object><name>cat</name><bndbox"
       "><xmin>11</xmin><ymin>11</ymin><xmax>30</xmax><ymax>30</ymax></bndbox></object></annotatio"
       "n>",
       "", "image-size-missing:1", 1},
      {"VocNoObject", kVoc, "<annotation></annotation>", "there are no classes", "", 0},
      {"VocEmpty", kVoc, "", "the file is empty", "", 0},
      {"VocCutShort", kVoc, "<annotation><object>", "no well-formed XML", "", 0},
      {"VocOtherRoot", kVoc, "<html></html>", "its root is 'html'", "", 0},
  };
  // clang-format on
  return kCases;
}

}  // namespace lockstep
