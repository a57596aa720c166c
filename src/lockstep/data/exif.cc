// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/exif.h"

#include <cstring>
#include <optional>
#include <string_view>

#include "lockstep/base/check.h"
#include "lockstep/data/image_format.h"
#include "lockstep/data/jpeg_segments.h"
#include "lockstep/data/tiff_entries.h"
#include "lockstep/data/webp_chunks.h"

namespace lockstep {
namespace {

// An unsigned integer of four bytes at `at`; nothing when it leaves the bytes.
std::optional<std::uint32_t> read_big_endian(std::span<const std::uint8_t> bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | bytes[at + i];
  return value;
}

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

constexpr std::string_view kExif("Exif\0\0", 6);

int orientation_of_jpeg(std::span<const std::uint8_t> jpeg) {
  constexpr std::uint8_t kApp1 = 0xE1;
  int orientation = 1;
  walk_jpeg_segments(jpeg, [&](std::uint8_t marker, std::span<const std::uint8_t> body) {
    const bool exif = marker == kApp1 && starts_with(body, kExif);
    if (exif) orientation = read_tiff_orientation(body.subspan(kExif.size()));
    return !exif;
  });
  return orientation;
}

int orientation_of_png(std::span<const std::uint8_t> png) {
  constexpr std::size_t kSignature = 8, kFrame = 12;  // length, name and check sum of a chunk
  std::size_t at = kSignature;
  while (const std::optional<std::uint32_t> length = read_big_endian(png, at)) {
    if (png.size() - at < kFrame || png.size() - at - kFrame < *length) return 1;
    const std::span<const std::uint8_t> chunk = png.subspan(at + 4, 4 + *length);
    if (starts_with(chunk, "eXIf")) return read_tiff_orientation(chunk.subspan(4));
    at += kFrame + *length;
  }
  return 1;
}

// Some writers put the prefix of JPEG's segment into the chunk too.
int orientation_of_webp(std::span<const std::uint8_t> webp) {
  const std::span<const std::uint8_t> exif = webp_exif(webp);
  return read_tiff_orientation(starts_with(exif, kExif) ? exif.subspan(kExif.size()) : exif);
}

bool swaps_axes(int orientation) { return orientation >= 5; }

}  // namespace

int read_exif_orientation(std::span<const std::uint8_t> bytes) {
  switch (image_format(bytes)) {
    case ImageFormat::kJpeg: return orientation_of_jpeg(bytes);
    case ImageFormat::kPng: return orientation_of_png(bytes);
    case ImageFormat::kWebp: return orientation_of_webp(bytes);
    case ImageFormat::kTiff: return read_tiff_orientation(bytes);
    case ImageFormat::kUnknown: break;
  }
  return 1;
}

int read_tiff_orientation(std::span<const std::uint8_t> tiff) {
  // The standard says SHORT; some tools write a BYTE or a LONG.
  const std::uint32_t value = read_tiff_value(tiff, TiffTag::kOrientation).value_or(1);
  return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

Image apply_orientation(const Image& image, int orientation) {
  LS_ASSERT(orientation >= 1 && orientation <= 8, "EXIF orientation {} is not 1..8", orientation);
  if (orientation == 1) return image;
  const bool swapped = swaps_axes(orientation);
  // After an optional transposition, orientations differ in which output axes run backwards.
  const bool mirror_x = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const bool mirror_y = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  Image upright(swapped ? image.height : image.width, swapped ? image.width : image.height);
  for (int y = 0; y < upright.height; ++y) {
    std::uint8_t* to = upright.row(y);
    for (int x = 0; x < upright.width; ++x) {
      const int u = mirror_x ? upright.width - 1 - x : x;
      const int v = mirror_y ? upright.height - 1 - y : y;
      const std::uint8_t* from = swapped ? image.row(u) + 3 * v : image.row(v) + 3 * u;
      std::memcpy(to + 3 * x, from, 3);
    }
  }
  return upright;
}

bool should_apply_orientation(ImageSize stored, int orientation, ImageSize annotated, const std::string& path) {
  const ImageSize upright = swaps_axes(orientation) ? ImageSize{stored.height, stored.width} : stored;
  if (annotated == ImageSize{} || annotated == upright) return orientation != 1;
  LS_CHECK(kData, annotated == stored,
           "image {} is {} x {} pixels, but its annotation says {} x {} (EXIF orientation {}); the picture was changed "
           "after it was annotated, or 'width' and 'height' are wrong",
           path, stored.width, stored.height, annotated.width, annotated.height, orientation);
  return false;
}

}  // namespace lockstep
