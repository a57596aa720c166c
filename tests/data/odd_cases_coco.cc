// SPDX-License-Identifier: Apache-2.0
#include "data/odd_cases.h"

namespace lockstep {

const std::vector<OddCase>& odd_coco_files() {
  using enum OddFormat;
  // clang-format off: one case, one entry
  static const std::vector<OddCase> kCases = {
      {"ImageIdTwice", kCocoImage,
       "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 100, \"height\": 50}, {\"id\": \"1\", \"file_name\": \"b.j"
       "pg\", \"width\": 9, \"height\": 9}",
       "two images have the id 1", "image-id-twice:1", 1},
      {"ImageFileTwice", kCocoImage,
       "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 100, \"height\": 50}, {\"id\": 2, \"file_name\": \"a.jpg"
       "\", \"width\": 100, \"height\": 50}",
       "", "image-file-twice:1 image-without-boxes:1", 1},
      {"ImageSizeMissing", kCocoImage, "{\"id\": 1, \"file_name\": \"a.jpg\"}", "", "image-size-missing:1", 1},
      {"ImageSizeZero", kCocoImage,
       "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 100, \"height\": 50}, {\"id\": 2, \"file_name\": \"b.jpg"
       "\", \"width\": 0, \"height\": 5}",
       "0 x 5", "image-malformed:1", 1},
      {"ImageNameMissing", kCocoImage,
       "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 100, \"height\": 50}, {\"id\": 2, \"width\": 5, \"height"
       "\": 5}",
       "has no 'file_name'", "image-malformed:1", 1},
      {"ImageNameEmpty", kCocoImage,
       "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 100, \"height\": 50}, {\"id\": 2, \"file_name\": \"\", \"w"
       "idth\": 5, \"height\": 5}",
       "empty 'file_name'", "image-malformed:1", 1},
      {"ImageIdIsAName", kCocoImage,
       "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 100, \"height\": 50}, {\"id\": \"a\", \"file_name\": \"b.j"
       "pg\", \"width\": 5, \"height\": 5}",
       "wanted an integer", "image-malformed:1", 1},
      {"CategoriesFromZero", kCocoCategory, "{\"id\": 1, \"name\": \"cat\"}, {\"id\": 0, \"name\": \"dog\"}", "",
       "category-without-boxes:1", 1},
      {"ImageNameWithBackslash", kCocoImage,
       "{\"id\": 1, \"file_name\": \".\\\\a.jpg\", \"width\": 100, \"height\": 50}", "", "image-path-mended:1", 1},
      {"ImageNameWithTheFolder", kCocoImage,
       "{\"id\": 1, \"file_name\": \"images/a.jpg\", \"width\": 100, \"height\": 50}", "", "image-path-mended:1", 1},
      {"CategoryGroup", kCocoCategory,
       "{\"id\": 0, \"name\": \"pets\", \"supercategory\": \"none\"}, {\"id\": 1, \"name\": \"cat\", "
       "\"supercategory\": \"pets\"}",
       "", "category-group:1", 1},
      {"ImageSizeMissingAndFileToo", kCocoImage,
       "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 100, \"height\": 50}, {\"id\": 2, \"file_name\": "
       "\"none.jpg\"}",
       "does not exist", "image-size-missing:1 file-missing:1", 1},
      {"CategoryIdTwice", kCocoCategory, "{\"id\": 1, \"name\": \"cat\"}, {\"id\": 1, \"name\": \"dog\"}",
       "two categories have the id 1", "category-id-twice:1", 1},
      {"CategoryNameTwice", kCocoCategory, "{\"id\": 1, \"name\": \"cat\"}, {\"id\": 2, \"name\": \"cat\"}",
       "two categories are named 'cat'", "category-name-twice:1 category-without-boxes:1", 1},
      {"CategoryNameSimilar", kCocoCategory, "{\"id\": 1, \"name\": \"cat\"}, {\"id\": 2, \"name\": \"Cat \"}", "",
       "category-name-similar:1 category-without-boxes:1", 1},
      {"CategoryWithoutName", kCocoCategory, "{\"id\": 1, \"name\": \"cat\"}, {\"id\": 2}", "has no 'name'",
       "category-malformed:1", 1},
      {"CategoryIsAText", kCocoCategory, "{\"id\": 1, \"name\": \"cat\"}, \"dog\"", "not an object",
       "category-malformed:1", 1},
      {"NoCategories", kCocoFile, "{\"images\": [], \"annotations\": []}", "no list 'categories'", "", 0},
      {"EmptyFile", kCocoFile, "", "the file is empty", "", 0},
      {"NotJson", kCocoFile, "hello", "not valid JSON", "", 0},
      {"CutShort", kCocoFile, "{\"images\": [{\"id\": 1,", "not valid JSON", "", 0},
      {"TwoDocuments", kCocoFile, "{} {}", "followed by something else", "", 0},
      {"TopLevelList", kCocoFile, "[]", "not an object", "", 0},
      {"Utf16", kCocoFile, "\xFF\xFE{\x01", "UTF-16", "", 0},
      {"ByteOrderMark", kCocoFile,
       "\xEF\xBB\xBF{\"categories\": [{\"id\": 1, \"name\": \"cat\"}], \"images\": [{\"id\": 1, \"file_name\": \""
       "a.jpg\", \"width\": 9, \"height\": 9}], \"annotations\": []}",
       "", "category-without-boxes:1 image-without-boxes:1", 0},
      {"ListIsAnObject", kCocoFile, "{\"categories\": {}, \"images\": [], \"annotations\": []}",
       "'categories' is not a list", "", 0},
  };
  // clang-format on
  return kCases;
}

}  // namespace lockstep
