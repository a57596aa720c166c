// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/yolo_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace lockstep {
namespace {

// The numbers of a line; nothing when a word is no finite number.
std::optional<std::vector<double>> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  constexpr std::string_view kBlanks = " \t";
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = line.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    double number = 0;
    const auto [stop, failed] = std::from_chars(line.data() + at, line.data() + end, number);
    if (failed != std::errc() || stop != line.data() + end || !std::isfinite(number)) return std::nullopt;
    numbers.push_back(number);
    at = end;
  }
  return numbers;
}

}  // namespace

YoloLabel parse_yolo_label(std::string_view line, std::size_t classes) {
  YoloLabel label;
  const auto malformed = [&] {
    label.problem =
        fmt::format("is '{}'; wanted class x y width height, or class and three points or more", line.substr(0, 60));
    return label;
  };
  const auto numbers = numbers_of(line);
  if (!numbers) return malformed();
  label.polygon = numbers->size() >= 7 && numbers->size() % 2 == 1;
  if (numbers->size() != 5 && !label.polygon) return malformed();
  const double stated = (*numbers)[0];
  if (stated != std::floor(stated) || stated < 0 || stated >= static_cast<double>(classes)) {
    label.unknown_class = true;
    label.problem = fmt::format("has class {}; the names go from 0 to {}", stated, classes - 1);
    return label;
  }
  label.class_index = static_cast<std::size_t>(stated);
  label.out_of_range =
      std::any_of(numbers->begin() + 1, numbers->end(), [](double value) { return value < -1 || value > 2; });
  if (label.polygon) {
    label.x1 = label.x2 = (*numbers)[1];
    label.y1 = label.y2 = (*numbers)[2];
    for (std::size_t i = 3; i < numbers->size(); i += 2) {
      label.x1 = std::min(label.x1, (*numbers)[i]), label.x2 = std::max(label.x2, (*numbers)[i]);
      label.y1 = std::min(label.y1, (*numbers)[i + 1]), label.y2 = std::max(label.y2, (*numbers)[i + 1]);
    }
    return label;
  }
  const double x = (*numbers)[1], y = (*numbers)[2], width = (*numbers)[3], height = (*numbers)[4];
  label.x1 = x - width / 2, label.x2 = x + width / 2;
  label.y1 = y - height / 2, label.y2 = y + height / 2;
  return label;
}

}  // namespace lockstep
