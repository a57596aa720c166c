// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/draw.h"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "eval/eval_test_support.h"

namespace lockstep {
namespace {

Picture grey(int width, int height) {
  Picture picture{width, height, {}};
  picture.bgr.assign(static_cast<std::size_t>(width * height * 3), 100);
  return picture;
}

std::array<int, 3> pixel(const Picture& picture, int x, int y) {
  const auto at = static_cast<std::size_t>((y * picture.width + x) * 3);
  return {picture.bgr[at], picture.bgr[at + 1], picture.bgr[at + 2]};
}

// Pixels that are not the background's grey.
int drawn(const Picture& picture, int x0, int y0, int x1, int y1) {
  int count = 0;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) count += pixel(picture, x, y) != std::array<int, 3>{100, 100, 100};
  }
  return count;
}

TEST(Draw, BoxHasTheClassColorAsBgrAndNothingElseChanges) {
  Picture picture = grey(100, 80);
  draw_boxes(picture, {{20, 30, 60, 70, 1, "", -1}});
  const std::array<double, 3> color = class_color(1);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(pixel(picture, 20, 50)[c], 255 * color[2 - c], 1.0);
  EXPECT_NE(pixel(picture, 59, 69), pixel(picture, 50, 50));
  EXPECT_EQ(drawn(picture, 0, 0, 100, 80), 40 * 40 - 38 * 38);
  Picture untouched = grey(33, 17);
  draw_boxes(untouched, {});
  EXPECT_EQ(untouched.bgr, grey(33, 17).bgr);
}

TEST(Draw, LabelsStayInsideThePicture) {
  Picture picture = grey(200, 100);
  draw_boxes(picture, {{150, 0, 200, 30, 0, "white blood cell", 0.97}});
  // The label is wider than the box and has no room above: it moves below the box and to the left.
  EXPECT_EQ(drawn(picture, 0, 45, 200, 100), 0);
  EXPECT_GT(drawn(picture, 60, 0, 149, 45), 500);
}

TEST(Draw, LabelsOfOneBoxTwiceDoNotCoverEachOther) {
  Picture once = grey(200, 100);
  draw_boxes(once, {{50, 40, 120, 60, 0, "cat", 0.9}});
  Picture twice = grey(200, 100);
  draw_boxes(twice, {{50, 40, 120, 60, 0, "cat", 0.9}, {50, 40, 120, 60, 0, "cat", 0.8}});
  EXPECT_EQ(drawn(once, 0, 60, 200, 100), 0);
  EXPECT_EQ(drawn(twice, 0, 0, 200, 40), drawn(once, 0, 0, 200, 40));
  EXPECT_GT(drawn(twice, 0, 60, 200, 100), 200);
}

TEST(Draw, TextThatIsNotUtf8IsDrawnWithQuestionMarks) {
  Picture bad = grey(200, 100);
  draw_boxes(bad, {{50, 40, 120, 60, 0, "caf\xE9", -1}});
  Picture marked = grey(200, 100);
  draw_boxes(marked, {{50, 40, 120, 60, 0, "caf?", -1}});
  EXPECT_EQ(bad.bgr, marked.bgr);
}

TEST(Draw, ColorsDiffer) {
  for (int a = 0; a < 30; ++a) {
    for (int b = 0; b < a; ++b) {
      double distance = 0;
      for (std::size_t c = 0; c < 3; ++c) distance += std::abs(class_color(a)[c] - class_color(b)[c]);
      EXPECT_GT(distance, 0.05) << a << ' ' << b;
    }
  }
}

TEST(Draw, ContactSheetHoldsEveryPicture) {
  std::vector<SheetEntry> entries;
  for (int i = 0; i < 5; ++i) {
    entries.push_back({grey(64 + 20 * i, 48), {{5, 5, 40, 40, i, "ring", 0.9}}, "image " + std::to_string(i)});
  }
  const Picture sheet = contact_sheet(entries, 3, 300, 200);
  EXPECT_EQ(sheet.width, 3 * 308 + 8);
  EXPECT_EQ(sheet.height, 2 * 230 + 8);
  const std::array<int, 3> middle = pixel(sheet, 8 + 150, 8 + 185);
  EXPECT_EQ(middle, (std::array<int, 3>{100, 100, 100}));
  EXPECT_EQ(pixel(sheet, 2 * 308 + 100, 230 + 100), (std::array<int, 3>{245, 245, 245}));  // no sixth picture
  EXPECT_EQ(encode_picture_png(sheet).substr(0, 8), "\x89PNG\r\n\x1a\n");
  expect_error(ErrorKind::kInternal, "a contact sheet of 0 pictures", [] { contact_sheet({}, 1, 10, 10); });
  expect_error(ErrorKind::kInternal, "with 3 bytes", [] { encode_picture_png({2, 2, {1, 2, 3}}); });
}

}  // namespace
}  // namespace lockstep
