// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/data/image.h"

namespace lockstep {

enum class JpegColour { kGrey, kYcc, kRgb, kCmyk, kYcck };

// The kinds of JPEG files that the program itself does not write.
struct JpegKind {
  JpegColour colour = JpegColour::kYcc;
  int luma_h = 1, luma_v = 1;  // sampling factors of the first component; the others have 1 (2, 2: "4:2:0")
  bool progressive = false;
  bool arithmetic = false;
  bool adobe_marker = true;  // of the kinds that have one
  int restart_interval = 0;  // in blocks; 0: no restart markers
  int black = 255;           // CMYK and YCCK: inverted black of every pixel; 255 is none
};

// Quality 95. The inks of CMYK are the inverted colours of `image`.
std::vector<std::uint8_t> make_jpeg(const Image& image, const JpegKind& kind);

// The file with a marker segment put behind the start-of-image marker.
std::vector<std::uint8_t> with_segment(const std::vector<std::uint8_t>& jpeg, std::uint8_t marker,
                                       const std::vector<std::uint8_t>& body);

}  // namespace lockstep
