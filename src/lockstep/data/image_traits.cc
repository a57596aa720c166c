// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_traits.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "lockstep/base/error.h"
#include "lockstep/data/exif.h"
#include "lockstep/data/jpeg_segments.h"
#include "lockstep/data/tiff_entries.h"
#include "lockstep/data/webp_codec.h"

namespace lockstep {
namespace {

// The number of components in a JPEG's frame header (SOF0 to SOF15 without DHT, JPG and DAC); 0 when there is none.
int jpeg_components(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kComponents = 5;  // behind precision, height and width
  int components = 0;
  walk_jpeg_segments(bytes, [&](std::uint8_t marker, std::span<const std::uint8_t> body) {
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame && body.size() > kComponents) components = body[kComponents];
    return !frame;
  });
  return components;
}

// A tRNS chunk, which makes a colour or entries of the palette transparent, stands before the pixels.
bool has_transparency_chunk(std::string_view png) {
  return png.substr(0, png.find("IDAT")).find("tRNS") != std::string_view::npos;
}

void read_png(std::span<const std::uint8_t> bytes, ImageTraits& traits) {
  constexpr std::size_t kBitDepth = 24, kColorType = 25;  // in the IHDR chunk, which comes first
  constexpr int kColorBit = 2, kAlphaBit = 4;
  if (bytes.size() <= kColorType) {
    traits.channels = 0;
    return;
  }
  const int color_type = bytes[kColorType];
  const bool alpha_channel = (color_type & kAlphaBit) != 0;
  traits.sixteen_bit = bytes[kBitDepth] == 16;
  traits.alpha = alpha_channel || has_transparency_chunk({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  traits.channels = ((color_type & kColorBit) != 0 ? 3 : 1) + (alpha_channel ? 1 : 0);
}

void read_webp(std::span<const std::uint8_t> bytes, ImageTraits& traits) {
  try {
    traits.alpha = read_webp_header(bytes, "").alpha;
    traits.channels = traits.alpha ? 4 : 3;
  } catch (const Error&) {
    traits.channels = 0;
  }
}

// Samples behind those of the colours are alpha, or something else that is dropped too.
void read_tiff(std::span<const std::uint8_t> bytes, ImageTraits& traits) {
  constexpr std::uint32_t kMinIsWhite = 0, kMinIsBlack = 1, kPalette = 3, kInks = 5;
  const std::optional<std::uint32_t> photometric = read_tiff_value(bytes, TiffTag::kPhotometric);
  const int samples = static_cast<int>(read_tiff_value(bytes, TiffTag::kSamplesPerPixel).value_or(1));
  const bool grey = photometric == kMinIsWhite || photometric == kMinIsBlack;
  const int colours = grey ? 1 : photometric == kInks ? 4 : 3;
  traits.sixteen_bit = read_tiff_value(bytes, TiffTag::kBitsPerSample).value_or(1) == 16;
  traits.alpha = samples > (photometric == kPalette ? 1 : colours);
  traits.channels = photometric ? colours + (traits.alpha ? 1 : 0) : 0;
}

}  // namespace

ImageTraits read_image_traits(std::span<const std::uint8_t> bytes) {
  ImageTraits traits;
  traits.format = image_format(bytes);
  traits.orientation = read_exif_orientation(bytes);
  if (traits.format == ImageFormat::kJpeg) traits.channels = jpeg_components(bytes);
  if (traits.format == ImageFormat::kPng) read_png(bytes, traits);
  if (traits.format == ImageFormat::kWebp) read_webp(bytes, traits);
  if (traits.format == ImageFormat::kTiff) read_tiff(bytes, traits);
  return traits;
}

}  // namespace lockstep
