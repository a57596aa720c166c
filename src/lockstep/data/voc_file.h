// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

// One object of a Pascal VOC file; corners as the file states them.
struct VocObject {
  std::string name;
  double xmin = 0, ymin = 0, xmax = 0, ymax = 0;
  bool difficult = false;
  std::string problem;  // why it cannot be used; empty when it can
};

// A Pascal VOC annotation file. Width and height are 0 where the file does not tell them.
struct VocFile {
  std::string filename;  // of the image, as the file says; may be empty
  int width = 0, height = 0;
  std::vector<VocObject> objects;
};

// Parses the bytes of an XML file. Throws kData naming `path` when they are no VOC annotation; objects that cannot be
// used come back with their problem.
VocFile parse_voc_file(std::span<const std::uint8_t> bytes, const std::string& path);

}  // namespace lockstep
