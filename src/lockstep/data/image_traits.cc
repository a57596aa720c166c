// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_traits.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "lockstep/data/exif.h"

namespace lockstep {
namespace {

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// The number of components in a JPEG's frame header (SOF0 to SOF15 without DHT, JPG and DAC); 0 when there is none.
int jpeg_components(std::span<const std::uint8_t> bytes) {
  for (std::size_t at = 2; at + 9 < bytes.size();) {
    if (bytes[at] != 0xFF) return 0;
    const std::uint8_t marker = bytes[at + 1];
    if (marker == 0xFF) {
      ++at;  // fill byte
      continue;
    }
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) return bytes[at + 9];
    if (marker == 0xDA) return 0;  // the picture's data without a frame header before it
    at += 2 + (static_cast<std::size_t>(bytes[at + 2]) << 8 | bytes[at + 3]);
  }
  return 0;
}

void read_png(std::span<const std::uint8_t> bytes, ImageTraits& traits) {
  constexpr std::size_t kBitDepth = 24, kColorType = 25;  // in the IHDR chunk, which comes first
  constexpr int kColorBit = 2, kAlphaBit = 4;
  if (bytes.size() <= kColorType) return;
  const int color_type = bytes[kColorType];
  traits.sixteen_bit = bytes[kBitDepth] == 16;
  traits.alpha = (color_type & kAlphaBit) != 0;
  traits.channels = ((color_type & kColorBit) != 0 ? 3 : 1) + (traits.alpha ? 1 : 0);
}

}  // namespace

ImageTraits read_image_traits(std::span<const std::uint8_t> bytes) {
  ImageTraits traits;
  if (starts_with(bytes, "\xFF\xD8\xFF")) {
    traits.format = ImageTraits::Format::kJpeg;
    traits.channels = jpeg_components(bytes);
    traits.orientation = read_exif_orientation(bytes);
  } else if (starts_with(bytes, "\x89PNG\r\n\x1A\n")) {
    traits.format = ImageTraits::Format::kPng;
    read_png(bytes, traits);
  }
  return traits;
}

bool is_misleading_name(const std::string& path, ImageTraits::Format format) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (format == ImageTraits::Format::kJpeg) return extension != ".jpg" && extension != ".jpeg";
  if (format == ImageTraits::Format::kPng) return extension != ".png";
  return false;
}

}  // namespace lockstep
