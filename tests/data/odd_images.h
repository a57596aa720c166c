// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "lockstep/base/error.h"
#include "lockstep/data/image.h"

namespace lockstep {

// An odd image file and what should become of it.
struct OddImage {
  std::string name;
  std::string file_name;  // in the folder of the case
  std::vector<std::uint8_t> bytes;
  std::string rules;  // "rule:count ..." in the order of the table, in a full data check with the size of `upright`
  // What is decoded, and turned as EXIF says; the colours are right within `tolerance` in each channel.
  Image upright = {};
  int tolerance = 0;
  // Or, where nothing is decoded: the kind and a part of the message, which also names the file.
  std::string error = {};
  ErrorKind kind = ErrorKind::kData;
};

// For messages of the test framework.
void PrintTo(const OddImage& odd, std::ostream* out);

const std::vector<OddImage>& odd_images();

}  // namespace lockstep
