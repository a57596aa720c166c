// SPDX-License-Identifier: Apache-2.0
#include "data/odd_cases.h"

namespace lockstep {

const std::vector<OddCase>& odd_yolo_files() {
  using enum OddFormat;
  // clang-format off: one case, one entry
  static const std::vector<OddCase> kCases = {
      {"YoloGood", kYolo, "0 0.5 0.5 0.2 0.2\n1 0.2 0.2 0.1 0.1", "", "", 2},
      {"YoloWindowsLines", kYolo,
       "\xEF\xBB\xBF"
       "0 0.5 0.5 0.2 0.2\r\n\r\n1 0.2 0.2 0.1 0.1\r\n",
       "", "", 2},
      {"YoloEmpty", kYolo, "", "", "category-without-boxes:2 image-without-boxes:1", 0},
      {"YoloFourNumbers", kYolo, "0 0.5 0.5 0.2 0.2\n1 0.2 0.2 0.1", "wanted class x y width height",
       "category-without-boxes:1 yolo-line-malformed:1", 1},
      {"YoloScore", kYolo, "0 0.5 0.5 0.2 0.2\n1 0.2 0.2 0.1 0.1 0.9", "wanted class x y width height",
       "category-without-boxes:1 yolo-line-malformed:1", 1},
      {"YoloWord", kYolo, "0 0.5 0.5 0.2 0.2\ncat 0.2 0.2 0.1 0.1", "line 2",
       "category-without-boxes:1 yolo-line-malformed:1", 1},
      {"YoloNan", kYolo, "0 0.5 0.5 0.2 0.2\n1 nan 0.2 0.1 0.1", "line 2",
       "category-without-boxes:1 yolo-line-malformed:1", 1},
      {"YoloClassTooHigh", kYolo, "0 0.5 0.5 0.2 0.2\n2 0.2 0.2 0.1 0.1", "has class 2; the names go from 0 to 1",
       "category-without-boxes:1 yolo-class-unknown:1", 1},
      {"YoloClassNegative", kYolo, "0 0.5 0.5 0.2 0.2\n-1 0.2 0.2 0.1 0.1", "has class -1",
       "category-without-boxes:1 yolo-class-unknown:1", 1},
      {"YoloPixels", kYolo, "0 0.5 0.5 0.2 0.2\n1 50 25 20 20", "", "category-without-boxes:1 yolo-out-of-range:1", 1},
      {"YoloPolygon", kYolo, "0 0.1 0.1 0.5 0.1 0.5 0.5\n1 0.2 0.2 0.1 0.1", "", "yolo-polygon:1", 2},
      {"YoloOverTheEdge", kYolo, "0 0.9 0.5 0.4 0.2\n1 0.2 0.2 0.1 0.1", "", "box-clipped:1", 2},
      {"YoloZeroSize", kYolo, "0 0.5 0.5 0 0.2\n1 0.2 0.2 0.1 0.1", "", "category-without-boxes:1 box-without-size:1",
       1},
      {"YoloUtf16", kYolo,
       "\xFF\xFE"
       "0",
       "UTF-16", "category-without-boxes:2 image-without-boxes:1 yolo-line-malformed:1", 0},
      {"YoloNamesByNumber", kYoloYaml, "train: images\nnames: {0: cat}\n", "", "", 1},
      {"YoloNamesWithAGap", kYoloYaml, "train: images\nnames: {0: cat, 2: dog}\n", "the key '2'", "", 0},
      {"YoloCountDiffers", kYoloYaml, "train: images\nnc: 3\nnames: [cat]\n", "'nc' is 3", "", 0},
      {"YoloWithoutNames", kYoloYaml, "train: images\n", "no 'names'", "", 0},
      {"YoloFolderMissing", kYoloYaml, "train: pictures\nnames: [cat]\n", "exists", "", 0},
      {"YoloBrokenYaml", kYoloYaml, "names: [cat\n", "not YAML", "", 0},
      {"YoloRoboflowPath", kYoloYaml, "train: ../images\nnames: [cat]\n", "", "", 1},
  };
  // clang-format on
  return kCases;
}

}  // namespace lockstep
