// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/data/image.h"

namespace lockstep {

// Decodes every PNG colour type: grey becomes three equal channels, palettes are resolved, alpha is
// dropped (the straight colour is kept), 16 bits become 8 by v / 257 rounded. Errors as decode_jpeg.
Image decode_png(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels);

ImageSize read_png_size(std::span<const std::uint8_t> bytes, const std::string& path);

// 8-bit truecolour PNG.
std::vector<std::uint8_t> encode_png(const Image& image);
void write_png(const std::string& path, const Image& image);

}  // namespace lockstep
