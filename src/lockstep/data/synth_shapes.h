// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lockstep/base/philox.h"
#include "lockstep/data/image.h"

namespace lockstep {

// The classes of the synthetic data set, in order of their class index.
enum class ShapeKind { kCircle, kSquare, kTriangle, kStar };
inline constexpr std::array<const char*, 4> kShapeNames = {"circle", "square", "triangle", "star"};

struct Point {
  double x, y;
};

// A filled shape: a circle, or a polygon around `center` (even-odd rule).
struct SynthShape {
  ShapeKind kind = ShapeKind::kCircle;
  Point center{0, 0};
  double radius = 0;            // of the circle around the shape, pixels
  std::vector<Point> outline;   // empty for a circle
  std::array<double, 3> bgr{};  // fill colour, 0..255
};

// Continuous pixel coordinates: x1, y1, x2, y2.
using SynthBox = std::array<double, 4>;

SynthShape make_shape(ShapeKind kind, Point center, double radius, double angle, std::array<double, 3> bgr);

// The smallest box around the shape.
SynthBox shape_box(const SynthShape& shape);

// Draws the shape with a darker rim; edges are smoothed by 4 x 4 samples per pixel.
void draw_shape(Image& image, const SynthShape& shape);

// A soft two-colour texture with grain: value noise in three octaves.
void draw_background(Image& image, PhiloxStream& random);

}  // namespace lockstep
