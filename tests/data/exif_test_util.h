// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

// The JPEG file with an EXIF segment that holds nothing but the orientation.
inline std::vector<std::uint8_t> with_orientation(const std::vector<std::uint8_t>& jpeg, int orientation,
                                                  bool big_endian) {
  std::vector<std::uint8_t> tiff;
  const auto put = [&](std::uint32_t value, int width) {
    for (int i = 0; i < width; ++i) {
      tiff.push_back(static_cast<std::uint8_t>(value >> (8 * (big_endian ? width - 1 - i : i))));
    }
  };
  tiff.assign(2, big_endian ? 'M' : 'I');
  put(42, 2);
  put(8, 4);       // offset of the directory
  put(1, 2);       // one entry
  put(0x0112, 2);  // orientation
  put(3, 2);       // of type short
  put(1, 4);
  put(static_cast<std::uint32_t>(orientation), 2);
  put(0, 2);
  put(0, 4);
  std::vector<std::uint8_t> file(jpeg.begin(), jpeg.begin() + 2);
  const std::size_t length = tiff.size() + 8;
  for (const int byte : {0xFF, 0xE1, static_cast<int>(length >> 8), static_cast<int>(length & 0xFF), 'E' + 0, 'x' + 0,
                         'i' + 0, 'f' + 0, 0, 0}) {
    file.push_back(static_cast<std::uint8_t>(byte));
  }
  file.insert(file.end(), tiff.begin(), tiff.end());
  file.insert(file.end(), jpeg.begin() + 2, jpeg.end());
  return file;
}

}  // namespace lockstep
