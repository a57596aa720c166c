// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>

#include "lockstep/eval/draw.h"

// Cairo's types, named without its header.
struct _cairo;
struct _cairo_surface;

namespace lockstep {

// A picture that can be drawn on; wraps a cairo image surface. Sizes are pixels, colours red, green, blue in 0..1.
// Every failure of cairo is kDevice (memory) and says so.
class Canvas {
 public:
  Canvas(int width, int height, std::array<double, 3> background);
  explicit Canvas(const Picture& picture);

  int width() const;
  int height() const;

  struct Rectangle {
    double x = 0;
    double y = 0;
    double w = 0;
    double h = 0;
  };
  void stroke(Rectangle where, std::array<double, 3> color, double line_width);
  void fill(Rectangle where, std::array<double, 3> color, double opacity);
  // Scales the picture to `where`, smoothed.
  void place(const Picture& picture, Rectangle where);

  // Texts are UTF-8; in a text that is not, every byte outside ASCII is drawn as a question mark.
  void set_font_size(double pixels, bool bold);
  double text_width(const std::string& text);
  double font_ascent();
  double font_height();
  void text(double x, double baseline, const std::string& text, std::array<double, 3> color);

  Picture picture() const;
  std::string png() const;

 private:
  struct FreeSurface {
    void operator()(_cairo_surface* surface) const;
  };
  struct FreeContext {
    void operator()(_cairo* context) const;
  };
  void check() const;

  std::unique_ptr<_cairo_surface, FreeSurface> surface_;
  std::unique_ptr<_cairo, FreeContext> context_;
};

}  // namespace lockstep
