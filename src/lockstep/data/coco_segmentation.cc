// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_segmentation.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace lockstep {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;

// Grows with points.
struct Bounds {
  double x1 = std::numeric_limits<double>::infinity(), y1 = x1, x2 = -x1, y2 = -x1;
  void add(double x, double y) {
    x1 = std::min(x1, x), y1 = std::min(y1, y), x2 = std::max(x2, x), y2 = std::max(y2, y);
  }
  std::optional<std::array<double, 4>> box() const {
    if (!(x2 > x1 && y2 > y1)) return std::nullopt;
    return std::array<double, 4>{x1, y1, x2 - x1, y2 - y1};
  }
};

// The numbers of one polygon; nothing when there is another value or half a point among them.
std::optional<std::vector<double>> polygon_numbers(const array& polygon) {
  std::vector<double> numbers;
  for (const element value : polygon) {
    double number = 0;
    if (value.get(number) != simdjson::SUCCESS) return std::nullopt;
    numbers.push_back(number);
  }
  if (numbers.size() % 2 != 0) return std::nullopt;
  return numbers;
}

// The polygons of a list of lists or of one flat list; nothing when one of them is malformed.
std::optional<std::vector<std::vector<double>>> polygons_of(const array& list) {
  std::vector<std::vector<double>> polygons;
  if (list.size() > 0 && list.at(0).is_number()) {
    auto flat = polygon_numbers(list);
    if (!flat) return std::nullopt;
    polygons.push_back(std::move(*flat));
    return polygons;
  }
  for (const element value : list) {
    array polygon;
    if (value.get(polygon) != simdjson::SUCCESS) return std::nullopt;
    auto numbers = polygon_numbers(polygon);
    if (!numbers) return std::nullopt;
    polygons.push_back(std::move(*numbers));
  }
  return polygons;
}

// Run lengths of the compressed text of COCO's mask API: groups of six bits from character 48 on, of which the lowest
// five are the value and bit 32 means more; from the fourth run on, the difference to the run two before.
std::optional<std::vector<std::int64_t>> decode_counts(std::string_view text) {
  std::vector<std::int64_t> counts;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t value = 0;
    int shift = 0;
    for (bool more = true; more; ++at, shift += 5) {
      if (at == text.size() || shift > 55) return std::nullopt;
      const int bits = text[at] - 48;
      if (bits < 0 || bits > 63) return std::nullopt;
      value |= static_cast<std::int64_t>(bits & 31) << shift;
      more = (bits & 32) != 0;
      if (!more && (bits & 16) != 0) value -= std::int64_t{1} << (shift + 5);
    }
    if (counts.size() > 2) value += counts[counts.size() - 2];
    counts.push_back(value);
  }
  return counts;
}

std::optional<std::vector<std::int64_t>> run_lengths(const element& counts) {
  if (std::string_view text; counts.get(text) == simdjson::SUCCESS) return decode_counts(text);
  array list;
  if (counts.get(list) != simdjson::SUCCESS) return std::nullopt;
  std::vector<std::int64_t> runs;
  for (const element value : list) {
    std::int64_t run = 0;
    if (value.get(run) != simdjson::SUCCESS) return std::nullopt;
    runs.push_back(run);
  }
  return runs;
}

struct Rle {
  std::int64_t height = 0, width = 0;
  std::vector<std::int64_t> runs;  // of zeros and ones in turn, column by column
};

std::optional<Rle> read_rle(const element& value) {
  Rle rle;
  element counts;
  if (value["size"].at(0).get(rle.height) != simdjson::SUCCESS ||
      value["size"].at(1).get(rle.width) != simdjson::SUCCESS || value["counts"].get(counts) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  constexpr std::int64_t kMost = 1 << 20;
  if (rle.height < 1 || rle.width < 1 || rle.height > kMost || rle.width > kMost) return std::nullopt;
  auto runs = run_lengths(counts);
  if (!runs) return std::nullopt;
  std::int64_t pixels = 0;
  for (const std::int64_t run : *runs) {
    if (run < 0 || run > rle.height * rle.width - pixels) return std::nullopt;
    pixels += run;
  }
  rle.runs = std::move(*runs);
  return rle;
}

std::optional<std::array<double, 4>> rle_box(const Rle& rle) {
  Bounds bounds;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < rle.runs.size(); ++i) {
    const std::int64_t first = at, last = at + rle.runs[i] - 1;
    at += rle.runs[i];
    if (i % 2 == 0 || last < first) continue;
    const std::int64_t x1 = first / rle.height, x2 = last / rle.height;
    // A run that goes over a column's end covers the height of the image at that place.
    const std::int64_t y1 = x1 == x2 ? first % rle.height : 0, y2 = x1 == x2 ? last % rle.height : rle.height - 1;
    bounds.add(static_cast<double>(x1), static_cast<double>(y1));
    bounds.add(static_cast<double>(x2 + 1), static_cast<double>(y2 + 1));
  }
  return bounds.box();
}

}  // namespace

std::optional<std::array<double, 4>> segmentation_box(const element& segmentation) {
  if (segmentation.is_object()) {
    const std::optional<Rle> rle = read_rle(segmentation);
    return rle ? rle_box(*rle) : std::nullopt;
  }
  array list;
  if (segmentation.get(list) != simdjson::SUCCESS) return std::nullopt;
  const auto polygons = polygons_of(list);
  if (!polygons) return std::nullopt;
  Bounds bounds;
  for (const std::vector<double>& polygon : *polygons) {
    for (std::size_t i = 0; i + 1 < polygon.size(); i += 2) bounds.add(polygon[i], polygon[i + 1]);
  }
  return bounds.box();
}

bool is_usable_segmentation(const element& segmentation) {
  if (segmentation.is_object()) return read_rle(segmentation).has_value();
  array list;
  if (segmentation.get(list) != simdjson::SUCCESS || list.size() == 0) return false;
  const auto polygons = polygons_of(list);
  return polygons && std::all_of(polygons->begin(), polygons->end(), [](const auto& one) { return one.size() >= 6; });
}

}  // namespace lockstep
