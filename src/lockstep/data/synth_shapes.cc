// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/synth_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep {
namespace {

std::uint8_t to_byte(double value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0) + 0.5); }

bool contains(const SynthShape& shape, Point p, double grow) {
  const Point q{shape.center.x + (p.x - shape.center.x) * grow, shape.center.y + (p.y - shape.center.y) * grow};
  if (shape.outline.empty()) return std::hypot(q.x - shape.center.x, q.y - shape.center.y) <= shape.radius;
  bool inside = false;
  for (std::size_t i = 0, j = shape.outline.size() - 1; i < shape.outline.size(); j = i++) {
    const Point a = shape.outline[i], b = shape.outline[j];
    if ((a.y > q.y) != (b.y > q.y) && q.x < (b.x - a.x) * (q.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

// Random values on a lattice of `cell` pixels, interpolated between.
std::vector<double> value_noise(int width, int height, int cell, PhiloxStream& random) {
  const int columns = width / cell + 2, rows = height / cell + 2;
  std::vector<double> lattice(static_cast<std::size_t>(columns * rows));
  for (double& value : lattice) value = random.uniform();
  std::vector<double> noise(static_cast<std::size_t>(width * height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int column = x / cell, row = y / cell;
      const double u = static_cast<double>(x % cell) / cell, v = static_cast<double>(y % cell) / cell;
      const double* at = &lattice[static_cast<std::size_t>(row * columns + column)];
      const double top = at[0] * (1 - u) + at[1] * u, bottom = at[columns] * (1 - u) + at[columns + 1] * u;
      noise[static_cast<std::size_t>(y * width + x)] = top * (1 - v) + bottom * v;
    }
  }
  return noise;
}

}  // namespace

SynthShape make_shape(ShapeKind kind, Point center, double radius, double angle, std::array<double, 3> bgr) {
  SynthShape shape{kind, center, radius, {}, bgr};
  constexpr double kInnerStar = 0.45;  // inner radius of a star's notches
  const int corners = kind == ShapeKind::kSquare     ? 4
                      : kind == ShapeKind::kTriangle ? 3
                      : kind == ShapeKind::kStar     ? 10
                                                     : 0;
  for (int i = 0; i < corners; ++i) {
    const double r = kind == ShapeKind::kStar && i % 2 == 1 ? radius * kInnerStar : radius;
    const double turn = angle + 2 * std::numbers::pi * i / corners;
    shape.outline.push_back({center.x + r * std::cos(turn), center.y + r * std::sin(turn)});
  }
  return shape;
}

SynthBox shape_box(const SynthShape& shape) {
  if (shape.outline.empty()) {
    return {shape.center.x - shape.radius, shape.center.y - shape.radius, shape.center.x + shape.radius,
            shape.center.y + shape.radius};
  }
  SynthBox box{shape.center.x, shape.center.y, shape.center.x, shape.center.y};
  for (const Point& p : shape.outline) {
    box = {std::min(box[0], p.x), std::min(box[1], p.y), std::max(box[2], p.x), std::max(box[3], p.y)};
  }
  return box;
}

void draw_shape(Image& image, const SynthShape& shape) {
  constexpr int kSamples = 4;        // per pixel and axis
  constexpr double kRimGrow = 1.12;  // the rim is where the shape scaled up by this no longer covers
  constexpr double kRimShade = 0.55;
  const SynthBox box = shape_box(shape);
  const int x_end = std::min(static_cast<int>(std::ceil(box[2])), image.width);
  const int y_end = std::min(static_cast<int>(std::ceil(box[3])), image.height);
  for (int y = std::max(static_cast<int>(std::floor(box[1])), 0); y < y_end; ++y) {
    for (int x = std::max(static_cast<int>(std::floor(box[0])), 0); x < x_end; ++x) {
      double fill = 0, rim = 0;
      for (int i = 0; i < kSamples * kSamples; ++i) {
        const Point p{x + (i % kSamples + 0.5) / kSamples, y + (i / kSamples + 0.5) / kSamples};
        if (!contains(shape, p, 1)) continue;
        (contains(shape, p, kRimGrow) ? fill : rim) += 1.0 / (kSamples * kSamples);
      }
      std::uint8_t* pixel = image.row(y) + 3 * x;
      for (std::size_t c = 0; c < 3; ++c) {
        const double ink = shape.bgr[c] * (fill + kRimShade * rim);
        pixel[c] = to_byte(pixel[c] * (1 - fill - rim) + ink);
      }
    }
  }
}

void draw_background(Image& image, PhiloxStream& random) {
  std::array<double, 3> from{}, to{};
  for (std::size_t c = 0; c < 3; ++c) {
    from[c] = 60 + 110 * random.uniform();
    to[c] = from[c] + 50 * (random.uniform() - 0.5);
  }
  const std::vector<double> coarse = value_noise(image.width, image.height, 48, random);
  const std::vector<double> middle = value_noise(image.width, image.height, 12, random);
  const std::vector<double> fine = value_noise(image.width, image.height, 3, random);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    const double mix = 0.5 * coarse[i] + 0.3 * middle[i] + 0.2 * fine[i];
    const double grain = 14 * (random.uniform() - 0.5);
    for (std::size_t c = 0; c < 3; ++c) image.bgr[3 * i + c] = to_byte(from[c] + (to[c] - from[c]) * 2 * mix + grain);
  }
}

}  // namespace lockstep
