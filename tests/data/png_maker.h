// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lockstep {

// A PNG file written chunk by chunk, so that every kind and every damage can be made. Pixels are stored without
// compression.
struct PngKind {
  std::uint32_t width = 1, height = 1;
  int bit_depth = 8;
  int color_type = 2;  // 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha
  bool interlaced = false;
  std::vector<std::uint8_t> palette = {};       // PLTE: red, green, blue
  std::vector<std::uint8_t> transparency = {};  // tRNS
  std::vector<std::uint8_t> more_chunks = {};   // between header and pixels, from png_chunk
  std::size_t missing_rows = 0;                 // left out at the end of the pixels
  std::size_t pieces = 1;                       // IDAT chunks
};

// The value of channel c of a pixel, below 2^bit_depth.
using PngSample = std::function<int(int x, int y, int c)>;

int png_channels(int color_type);
std::vector<std::uint8_t> png_chunk(const std::string& name, const std::vector<std::uint8_t>& body);
std::vector<std::uint8_t> make_png(const PngKind& kind, const PngSample& sample);

}  // namespace lockstep
