// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// Internal to the COCO reader: the text of a COCO file in which every list of numbers that is the value of a key
// "segmentation" is replaced by []. Most of such a file is polygons, which boxes do not need. Only the characters of
// the lists are looked at (digits, signs, points, exponents, commas, blanks and balanced brackets).
struct CocoOutline {
  std::vector<std::uint8_t> text;  // followed by `padding` zeros, which are part of the vector
  std::size_t removed = 0;         // lists
};

// Nothing when a list holds anything else or the file ends within one: the whole file has to be parsed, which tells
// what is wrong. Throws kIo when the file cannot be read.
std::optional<CocoOutline> read_coco_outline(const std::string& path, std::size_t padding);

}  // namespace lockstep
