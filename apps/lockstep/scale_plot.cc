// SPDX-License-Identifier: Apache-2.0
#include "scale_plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lockstep/base/check.h"
#include "lockstep/solver/lr_schedule.h"
#include "scale_table.h"

namespace lockstep::app {
namespace {

constexpr int kWidth = 720, kHeight = 400;                       // pixels
constexpr int kLeft = 72, kRight = 24, kTop = 40, kBottom = 48;  // around the plot
constexpr int kSamples = 1200;                                   // of a line, before it is simplified
constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};  // Okabe and Ito

struct Point {
  double images;
  double rate;
};

std::vector<Point> sample(const SolverConfig& solver) {
  std::vector<Point> points;
  const std::int64_t stride = std::max<std::int64_t>(1, solver.max_iter / kSamples);
  for (std::int64_t step = 0; step < solver.max_iter; step += stride) {
    const Point point{static_cast<double>(step * solver.ims_per_batch), learning_rate(solver, step)};
    if (point.rate > 0) points.push_back(point);
  }
  return points;
}

// Where images and rates lie on the picture.
class Axes {
 public:
  explicit Axes(const std::vector<std::vector<Point>>& lines) {
    for (const auto& line : lines) {
      for (const Point& point : line) {
        most_images_ = std::max(most_images_, point.images);
        low_ = std::min(low_, std::floor(std::log10(point.rate)));
        high_ = std::max(high_, std::ceil(std::log10(point.rate)));
      }
    }
    LS_CHECK(kConfig, low_ <= high_, "found no learning rate above 0 to draw");
    if (low_ == high_) high_ += 1;
  }
  double x(double images) const { return kLeft + images / most_images_ * (kWidth - kLeft - kRight); }
  double y(double log_rate) const { return kTop + (high_ - log_rate) / (high_ - low_) * (kHeight - kTop - kBottom); }
  double most_images() const { return most_images_; }
  int low() const { return static_cast<int>(low_); }
  int high() const { return static_cast<int>(high_); }

 private:
  double most_images_ = 1;
  double low_ = std::numeric_limits<double>::max();
  double high_ = std::numeric_limits<double>::lowest();
};

// A multiple of 1, 2 or 5 times a power of ten, about a fifth of `range`.
double tick_distance(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (factor * power) <= 6) return factor * power;
  }
  return 10 * power;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, text);
}

std::string grid(const Axes& axes) {
  std::string svg;
  for (int power = axes.low(); power <= axes.high(); ++power) {
    const double y = axes.y(power);
    svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>\n", kLeft, y, kWidth - kRight);
    svg += text_at(kLeft - 8, y + 4, "end", fmt::format("{:g}", std::pow(10, power)));
  }
  const double distance = tick_distance(axes.most_images());
  for (double images = 0; images <= axes.most_images(); images += distance) {
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {}V{}\"/>\n", axes.x(images), kTop, kHeight - kBottom);
    svg += text_at(axes.x(images), kHeight - kBottom + 18, "middle", fmt::format("{:.0f}", images));
  }
  svg += text_at((kLeft + kWidth - kRight) / 2.0, kHeight - 10, "middle", "images seen");
  svg += text_at(kLeft, kTop - 14, "middle", "learning rate");
  return svg;
}

// Points on a straight piece between two others are left out.
std::string curve(const std::vector<Point>& points, const Axes& axes, const char* color) {
  std::string path;
  double last_x = 0, last_y = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = axes.x(points[i].images);
    const double y = axes.y(std::log10(points[i].rate));
    const bool is_end = i == 0 || i + 1 == points.size();
    const double next_y = is_end ? y : axes.y(std::log10(points[i + 1].rate));
    constexpr double kVisible = 0.05;  // pixels
    if (!is_end && std::abs(y - last_y) < kVisible && std::abs(next_y - y) < kVisible) continue;
    if (!is_end && x - last_x < 1 && std::abs(y - last_y) < 1) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    last_x = x;
    last_y = y;
  }
  return fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n", color, path);
}

}  // namespace

std::string scale_plot(const std::vector<ScaledRecipe>& recipes) {
  std::vector<std::vector<Point>> lines;
  for (const ScaledRecipe& recipe : recipes) lines.push_back(sample(recipe.config->solver));
  const Axes axes(lines);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<style>.grid{{stroke:#ddd}}.line{{fill:none;stroke-width:2}}"
      "</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  svg += grid(axes);
  constexpr int kLegend = 110;  // pixels per entry
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char* color = kColors[i % kColors.size()];
    svg += curve(lines[i], axes, color);
    const double x = kWidth - kRight - kLegend * static_cast<double>(lines.size() - i);
    svg += fmt::format("<path class=\"line\" stroke=\"{}\" d=\"M{:.0f} {}h20\"/>\n", color, x, kTop - 18);
    svg += text_at(x + 26, kTop - 14, "start", workers_text(recipes[i].config->solver.reference_world_size));
  }
  return svg + "</svg>\n";
}

}  // namespace lockstep::app
