// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tiff.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lockstep {

// A TIFF file, written with libtiff.
struct TiffKind {
  int width = 23, height = 19;
  int photometric = PHOTOMETRIC_RGB;
  int bits = 8;
  int samples = 3;
  std::vector<std::uint16_t> extras = {};   // what the samples behind the colours are
  std::vector<std::uint16_t> palette = {};  // all reds, all greens, all blues
  int compression = COMPRESSION_NONE;
  int predictor = PREDICTOR_NONE;
  bool planar = false;
  int tile = 0;            // width and height of the tiles; 0: strips
  int rows_per_strip = 5;  // 0: one strip
  int orientation = 0;     // 0: not stated
  int fill_order = FILLORDER_MSB2LSB;
  int page = 0;                  // what the first page is: FILETYPE_REDUCEDIMAGE, ...
  int ink_set = 0;               // 0: not stated
  std::string byte_order = "l";  // "b": big-endian; "l8", "b8": BigTIFF
  bool second_page = false;      // one black pixel
};

// The value of sample c of a pixel, below 2^bits. JPEG takes red, green and blue and stores YCbCr where the kind says
// so.
using TiffSample = std::function<int(int x, int y, int c)>;
std::vector<std::uint8_t> make_tiff(const TiffKind& kind, const TiffSample& sample);

// A file of one strip with these bytes, as they are before compression.
std::vector<std::uint8_t> make_tiff_of_strip(TiffKind kind, const std::vector<std::uint8_t>& strip);

// The file (little-endian, not BigTIFF) with another first value of an entry, which keeps its type; with another tag in
// its place; with one value of type LONG.
std::vector<std::uint8_t> with_tiff_value(std::vector<std::uint8_t> tiff, int tag, std::uint32_t value);
std::vector<std::uint8_t> with_tiff_tag(std::vector<std::uint8_t> tiff, int tag, int new_tag);
std::vector<std::uint8_t> with_tiff_long(std::vector<std::uint8_t> tiff, int tag, std::uint32_t value);

// Where the first strip or tile stands.
std::size_t first_strip_of(const std::vector<std::uint8_t>& tiff);

}  // namespace lockstep
