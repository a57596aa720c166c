// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "data/jpeg_maker.h"

namespace lockstep {

// A TIFF structure that holds nothing but the orientation, as a value of `type` (3: SHORT, the standard's).
inline std::vector<std::uint8_t> tiff_with_orientation(int orientation, bool big_endian, int type = 3) {
  std::vector<std::uint8_t> tiff(2, big_endian ? 'M' : 'I');
  const auto put = [&](std::uint32_t value, int width) {
    for (int i = 0; i < width; ++i) {
      tiff.push_back(static_cast<std::uint8_t>(value >> (8 * (big_endian ? width - 1 - i : i))));
    }
  };
  const int width = type == 1 ? 1 : type == 4 ? 4 : 2;
  put(42, 2);
  put(8, 4);       // offset of the directory
  put(1, 2);       // one entry
  put(0x0112, 2);  // orientation
  put(static_cast<std::uint32_t>(type), 2);
  put(1, 4);
  put(static_cast<std::uint32_t>(orientation), width);
  put(0, 4 - width);
  put(0, 4);
  return tiff;
}

inline std::vector<std::uint8_t> exif_segment(const std::vector<std::uint8_t>& tiff) {
  std::vector<std::uint8_t> body = {'E', 'x', 'i', 'f', 0, 0};
  body.insert(body.end(), tiff.begin(), tiff.end());
  return body;
}

// The JPEG file with an EXIF segment that holds nothing but the orientation.
inline std::vector<std::uint8_t> with_orientation(const std::vector<std::uint8_t>& jpeg, int orientation,
                                                  bool big_endian, int type = 3) {
  return with_segment(jpeg, 0xE1, exif_segment(tiff_with_orientation(orientation, big_endian, type)));
}

}  // namespace lockstep
