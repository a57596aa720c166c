// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

// A decoded picture, 8 bits per channel, always three channels interleaved in the order blue, green,
// red (INPUT.FORMAT "BGR"); the normaliser swaps for "RGB".
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bgr;  // height x width x 3

  Image() = default;
  Image(int w, int h) : width(w), height(h), bgr(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3) {}

  std::uint8_t* row(int y) { return bgr.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 3; }
  const std::uint8_t* row(int y) const {
    return bgr.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 3;
  }
  bool operator==(const Image&) const = default;
};

struct ImageSize {
  int width = 0;
  int height = 0;
  bool operator==(const ImageSize&) const = default;
};

}  // namespace lockstep
