// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace lockstep {

enum class OddFormat { kCocoFile, kCocoAnnotation, kCocoImage, kCocoCategory, kVoc, kVocObject, kYolo, kYoloYaml };

// An odd annotation file and what should become of it.
struct OddCase {
  std::string name;
  OddFormat format;
  std::string text;   // a whole file, or the records that stand in an otherwise good one
  std::string error;  // part of the message in training; empty when it is read
  std::string
      rules;  // "rule:count ..." in the order of the table, in a data check; empty with an error: no data at all
  std::size_t boxes = 0;  // left in a data check
};

// For messages of the test framework.
void PrintTo(const OddCase& odd, std::ostream* out);

const std::vector<OddCase>& odd_cases();

// Writes the files of the case into `folder`, an image of 100 x 50 pixels among them; gives their DATA text.
std::string write_odd_case(const OddCase& odd, const std::string& folder);

}  // namespace lockstep
