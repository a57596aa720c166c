// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

// A colour picture: rows of interleaved blue, green, red bytes without padding (3 * width bytes a row).
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bgr;
};

struct DrawnBox {
  double x0 = 0;  // corners in pixels of the picture
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;
  int class_index = 0;  // chooses the colour
  std::string label;    // the class's name, UTF-8; may be empty
  double score = -1;    // drawn as a percentage; below 0 there is none
};

// The colour of a class as red, green, blue in 0..1: eleven hand-picked ones that are easy to tell apart, then hues a
// golden angle apart.
std::array<double, 3> class_color(int class_index);

// Draws boxes with labels into the picture. Line and letter sizes follow its size; labels stand above their box or
// wherever near it they cover no label of a better score, always inside the picture.
void draw_boxes(Picture& picture, const std::vector<DrawnBox>& boxes);

struct SheetEntry {
  Picture picture;
  std::vector<DrawnBox> boxes;  // in pixels of the picture
  std::string caption;
};

// The pictures in a grid of `columns`, each fitted into a cell of cell_width x cell_height pixels with its caption
// below. Boxes are drawn after fitting, so that labels of small and large pictures are equally readable.
Picture contact_sheet(const std::vector<SheetEntry>& entries, int columns, int cell_width, int cell_height);

// The picture as the bytes of a PNG file.
std::string encode_picture_png(const Picture& picture);

}  // namespace lockstep
