// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/data/image.h"

namespace lockstep {

// Decodes any JPEG file that libjpeg-turbo reads: baseline and progressive, Huffman and arithmetic, every subsampling.
// Grey becomes three equal channels; CMYK and YCCK are converted as Pillow does (inverted ink values, as Adobe writes
// them). `path` is for messages. Throws
//   kData         the bytes are damaged or end early, or the header announces more than `max_pixels`
//   kUnsupported  JPEG processes that libjpeg-turbo does not read: lossless, hierarchical, 12 bits
Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels);

// From the header; the pixels behind it need not be there.
ImageSize read_jpeg_size(std::span<const std::uint8_t> bytes, const std::string& path);

// Baseline JPEG, quality 1..100, without chroma subsampling.
std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality);

}  // namespace lockstep
