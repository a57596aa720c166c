// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/draw.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/base/check.h"
#include "lockstep/eval/canvas.h"

namespace lockstep {
namespace {

using Color = std::array<double, 3>;
using Rectangle = Canvas::Rectangle;

constexpr Color kWhite = {1, 1, 1};
constexpr Color kBlack = {0, 0, 0};

Color hue_color(double hue) {
  const auto wave = [&](double shift) {
    return std::clamp(std::abs(std::fmod(hue + shift, 6.0) - 3.0) - 1.0, 0.0, 1.0);
  };
  return {0.15 + 0.8 * wave(0), 0.15 + 0.8 * wave(4), 0.15 + 0.8 * wave(2)};
}

// Relative luminance (ITU-R BT.709), good enough to choose black or white letters.
bool is_bright(const Color& color) { return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2] > 0.45; }

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

std::string label_text(const DrawnBox& box) {
  if (box.score < 0) return box.label;
  return fmt::format("{}{}{:.0f}%", box.label, box.label.empty() ? "" : " ", 100 * box.score);
}

// The first place near the box that covers no earlier label, moved inside the picture; else the one above the box.
Rectangle place_label(const Canvas& canvas, const DrawnBox& box, double width, double height,
                      const std::vector<Rectangle>& taken) {
  const std::array<std::array<double, 2>, 6> places = {{{box.x0, box.y0 - height},
                                                        {box.x0, box.y1},
                                                        {box.x1 - width, box.y0 - height},
                                                        {box.x1 - width, box.y1},
                                                        {box.x0, box.y0},
                                                        {box.x0, box.y1 - height}}};
  const auto inside = [&](const std::array<double, 2>& at) {
    return Rectangle{std::max(0.0, std::min(at[0], canvas.width() - width)),
                     std::max(0.0, std::min(at[1], canvas.height() - height)), width, height};
  };
  for (const auto& place : places) {
    const Rectangle label = inside(place);
    if (std::none_of(taken.begin(), taken.end(), [&](const Rectangle& other) { return overlap(label, other); })) {
      return label;
    }
  }
  return inside(places[0]);
}

void draw_on(Canvas& canvas, const std::vector<DrawnBox>& boxes, double font_size) {
  const double line = std::max(1.0, std::round(font_size / 7));
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return boxes[a].score > boxes[b].score; });
  // Worst first, so that better ones lie on top.
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const DrawnBox& box = boxes[*at];
    const Rectangle edge{box.x0 + line / 2, box.y0 + line / 2, std::max(0.0, box.x1 - box.x0 - line),
                         std::max(0.0, box.y1 - box.y0 - line)};
    canvas.stroke(edge, class_color(box.class_index), line);
  }
  canvas.set_font_size(font_size, true);
  const double ascent = canvas.font_ascent();
  const double height = std::ceil(canvas.font_height());
  const double margin = std::ceil(font_size / 5);
  std::vector<Rectangle> taken;
  for (const std::size_t i : order) {
    const std::string text = label_text(boxes[i]);
    if (text.empty()) continue;
    const double width = std::ceil(canvas.text_width(text)) + 2 * margin;
    const Rectangle label = place_label(canvas, boxes[i], width, height, taken);
    const Color color = class_color(boxes[i].class_index);
    canvas.fill(label, color, 0.85);
    canvas.text(label.x + margin, label.y + ascent, text, is_bright(color) ? kBlack : kWhite);
    taken.push_back(label);
  }
}

double font_size_for(int width, int height) { return std::clamp(std::min(width, height) / 36.0, 9.0, 28.0); }

// The caption, shortened from its front (paths differ at their end) until it fits.
std::string fit(Canvas& canvas, std::string text, double width) {
  if (canvas.text_width(text) <= width) return text;
  while (!text.empty() && canvas.text_width("..." + text) > width) {
    do {
      text.erase(0, 1);
    } while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xC0U) == 0x80U);  // whole UTF-8 characters
  }
  return "..." + text;
}

}  // namespace

std::array<double, 3> class_color(int class_index) {
  static constexpr std::array<Color, 11> kPicked = {{{0.90, 0.10, 0.14},
                                                     {0.00, 0.55, 0.95},
                                                     {0.20, 0.75, 0.25},
                                                     {1.00, 0.75, 0.00},
                                                     {0.60, 0.20, 0.80},
                                                     {0.00, 0.80, 0.80},
                                                     {1.00, 0.45, 0.05},
                                                     {0.95, 0.35, 0.75},
                                                     {0.60, 0.40, 0.15},
                                                     {0.65, 0.90, 0.10},
                                                     {0.20, 0.20, 0.65}}};
  LS_ASSERT(class_index >= 0, "class index {} to draw", class_index);
  const auto index = static_cast<std::size_t>(class_index);
  if (index < kPicked.size()) return kPicked[index];
  return hue_color(std::fmod(static_cast<double>(index) * 0.6180339887498949, 1.0) * 6.0);
}

void draw_boxes(Picture& picture, const std::vector<DrawnBox>& boxes) {
  Canvas canvas(picture);
  draw_on(canvas, boxes, font_size_for(picture.width, picture.height));
  picture = canvas.picture();
}

Picture contact_sheet(const std::vector<SheetEntry>& entries, int columns, int cell_width, int cell_height) {
  LS_ASSERT(!entries.empty() && columns > 0 && cell_width > 0 && cell_height > 0,
            "a contact sheet of {} pictures in {} columns of {}x{} pixels", entries.size(), columns, cell_width,
            cell_height);
  constexpr int kGap = 8;
  constexpr int kCaption = 22;
  const int count = static_cast<int>(entries.size());
  columns = std::min(columns, count);
  const int rows = (count + columns - 1) / columns;
  const int step_x = cell_width + kGap;
  const int step_y = cell_height + kCaption + kGap;
  Canvas sheet(columns * step_x + kGap, rows * step_y + kGap, {0.96, 0.96, 0.96});
  for (int i = 0; i < count; ++i) {
    const SheetEntry& entry = entries[static_cast<std::size_t>(i)];
    const Picture& picture = entry.picture;
    LS_ASSERT(picture.width > 0 && picture.height > 0, "picture {} of a contact sheet is empty", i);
    const double scale =
        std::min(static_cast<double>(cell_width) / picture.width, static_cast<double>(cell_height) / picture.height);
    const int width = std::max(1, static_cast<int>(std::lround(picture.width * scale)));
    const int height = std::max(1, static_cast<int>(std::lround(picture.height * scale)));
    Canvas cell(width, height, kBlack);
    cell.place(picture, {0, 0, static_cast<double>(width), static_cast<double>(height)});
    std::vector<DrawnBox> boxes = entry.boxes;
    for (DrawnBox& box : boxes) {
      box.x0 *= scale;
      box.x1 *= scale;
      box.y0 *= scale;
      box.y1 *= scale;
    }
    draw_on(cell, boxes, std::max(11.0, font_size_for(width, height)));
    const double x = kGap + i % columns * step_x;
    const double y = kGap + i / columns * step_y;
    sheet.place(cell.picture(), {x + (cell_width - width) / 2, y + (cell_height - height) / 2,
                                 static_cast<double>(width), static_cast<double>(height)});
    sheet.set_font_size(13, false);
    sheet.text(x + 2, y + cell_height + 16, fit(sheet, entry.caption, cell_width - 4), kBlack);
  }
  return sheet.picture();
}

std::string encode_picture_png(const Picture& picture) { return Canvas(picture).png(); }

}  // namespace lockstep
