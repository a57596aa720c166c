// SPDX-License-Identifier: Apache-2.0
#include "lockstep/eval/canvas.h"

#include <cairo.h>
#include <simdjson.h>

#include <algorithm>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

// Cairo's RGB24 is one native 32-bit word per pixel: in memory, on a little-endian machine, blue, green, red, unused.
void copy_in(const Picture& picture, cairo_surface_t* surface) {
  unsigned char* rows = cairo_image_surface_get_data(surface);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  const auto width = static_cast<std::size_t>(picture.width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
    unsigned char* to = rows + y * stride;
    const std::uint8_t* from = picture.bgr.data() + y * width * 3;
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) to[4 * x + c] = from[3 * x + c];
      to[4 * x + 3] = 255;
    }
  }
  cairo_surface_mark_dirty(surface);
}

cairo_status_t append(void* text, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

// File names may hold any bytes; cairo refuses what is not UTF-8.
std::string drawable(std::string text) {
  if (!simdjson::validate_utf8(text)) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }, '?');
  }
  return text;
}

void check_size(int width, int height) {
  LS_ASSERT(width > 0 && height > 0 && width <= 32767 && height <= 32767,
            "a picture of {}x{} pixels; cairo draws from 1 to 32767", width, height);
}

}  // namespace

void Canvas::FreeSurface::operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
void Canvas::FreeContext::operator()(cairo_t* context) const { cairo_destroy(context); }

Canvas::Canvas(int width, int height, std::array<double, 3> background) {
  check_size(width, height);
  surface_.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  context_.reset(cairo_create(surface_.get()));
  check();
  cairo_set_source_rgb(context_.get(), background[0], background[1], background[2]);
  cairo_paint(context_.get());
}

Canvas::Canvas(const Picture& picture) : Canvas(picture.width, picture.height, {0, 0, 0}) {
  LS_ASSERT(
      picture.bgr.size() == static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 3,
      "a picture of {}x{} pixels with {} bytes", picture.width, picture.height, picture.bgr.size());
  cairo_surface_flush(surface_.get());
  copy_in(picture, surface_.get());
}

void Canvas::check() const {
  const cairo_status_t status = cairo_status(context_.get());
  LS_CHECK(kDevice, status == CAIRO_STATUS_SUCCESS, "cannot draw a picture: {}", cairo_status_to_string(status));
}

int Canvas::width() const { return cairo_image_surface_get_width(surface_.get()); }
int Canvas::height() const { return cairo_image_surface_get_height(surface_.get()); }

void Canvas::stroke(Rectangle where, std::array<double, 3> color, double line_width) {
  cairo_set_source_rgb(context_.get(), color[0], color[1], color[2]);
  cairo_set_line_width(context_.get(), line_width);
  cairo_rectangle(context_.get(), where.x, where.y, where.w, where.h);
  cairo_stroke(context_.get());
}

void Canvas::fill(Rectangle where, std::array<double, 3> color, double opacity) {
  cairo_set_source_rgba(context_.get(), color[0], color[1], color[2], opacity);
  cairo_rectangle(context_.get(), where.x, where.y, where.w, where.h);
  cairo_fill(context_.get());
}

void Canvas::place(const Picture& picture, Rectangle where) {
  const Canvas source(picture);
  cairo_save(context_.get());
  cairo_translate(context_.get(), where.x, where.y);
  cairo_scale(context_.get(), where.w / picture.width, where.h / picture.height);
  cairo_set_source_surface(context_.get(), source.surface_.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_.get()), CAIRO_FILTER_GOOD);
  // Without it the smoothing mixes the border with the void around the picture.
  cairo_pattern_set_extend(cairo_get_source(context_.get()), CAIRO_EXTEND_PAD);
  cairo_rectangle(context_.get(), 0, 0, picture.width, picture.height);
  cairo_fill(context_.get());
  cairo_restore(context_.get());
  check();
}

void Canvas::set_font_size(double pixels, bool bold) {
  cairo_select_font_face(context_.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context_.get(), pixels);
}

double Canvas::text_width(const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(context_.get(), drawable(text).c_str(), &extents);
  check();
  return extents.x_advance;
}

double Canvas::font_ascent() {
  cairo_font_extents_t extents;
  cairo_font_extents(context_.get(), &extents);
  return extents.ascent;
}

double Canvas::font_height() {
  cairo_font_extents_t extents;
  cairo_font_extents(context_.get(), &extents);
  return extents.ascent + extents.descent;
}

void Canvas::text(double x, double baseline, const std::string& text, std::array<double, 3> color) {
  cairo_set_source_rgb(context_.get(), color[0], color[1], color[2]);
  cairo_move_to(context_.get(), x, baseline);
  cairo_show_text(context_.get(), drawable(text).c_str());
  check();
}

Picture Canvas::picture() const {
  check();
  cairo_surface_flush(surface_.get());
  Picture result;
  result.width = width();
  result.height = height();
  const auto columns = static_cast<std::size_t>(result.width);
  result.bgr.resize(columns * static_cast<std::size_t>(result.height) * 3);
  const unsigned char* rows = cairo_image_surface_get_data(surface_.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface_.get()));
  for (std::size_t y = 0; y < static_cast<std::size_t>(result.height); ++y) {
    for (std::size_t x = 0; x < columns; ++x) {
      for (std::size_t c = 0; c < 3; ++c) result.bgr[(y * columns + x) * 3 + c] = rows[y * stride + 4 * x + c];
    }
  }
  return result;
}

std::string Canvas::png() const {
  check();
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface_.get(), append, &bytes);
  LS_CHECK(kDevice, status == CAIRO_STATUS_SUCCESS, "cannot encode a picture as PNG: {}",
           cairo_status_to_string(status));
  return bytes;
}

}  // namespace lockstep
