// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/exif.h"

#include <cstring>
#include <optional>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

constexpr std::uint16_t kOrientationTag = 0x0112;

// Bounds-checked reads from a TIFF structure in either byte order.
class TiffReader {
 public:
  explicit TiffReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    big_endian_ = bytes.size() >= 2 && bytes[0] == 'M';
  }
  std::optional<std::uint32_t> read(std::size_t at, int width) const {
    const auto count = static_cast<std::size_t>(width);
    if (at > bytes_.size() || bytes_.size() - at < count) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      value |= static_cast<std::uint32_t>(bytes_[at + i]) << (8 * (big_endian_ ? count - 1 - i : i));
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_endian_;
};

int orientation_of_tiff(std::span<const std::uint8_t> tiff) {
  const TiffReader reader(tiff);
  const std::optional<std::uint32_t> directory = reader.read(4, 4);
  if (!directory) return 1;
  const std::optional<std::uint32_t> entries = reader.read(*directory, 2);
  for (std::uint32_t i = 0; entries && i < *entries; ++i) {
    const std::size_t entry = std::size_t{*directory} + 2 + std::size_t{i} * 12;
    const std::optional<std::uint32_t> tag = reader.read(entry, 2);
    if (!tag) return 1;
    if (*tag != kOrientationTag) continue;
    const std::optional<std::uint32_t> value = reader.read(entry + 8, 2);
    return value && *value >= 1 && *value <= 8 ? static_cast<int>(*value) : 1;
  }
  return 1;
}

bool swaps_axes(int orientation) { return orientation >= 5; }

}  // namespace

int read_exif_orientation(std::span<const std::uint8_t> jpeg) {
  constexpr std::uint8_t kStartOfScan = 0xDA;
  constexpr std::uint8_t kApp1 = 0xE1;
  constexpr char kExif[] = {'E', 'x', 'i', 'f', 0, 0};
  std::size_t at = 2;  // after the start-of-image marker
  while (at + 4 <= jpeg.size() && jpeg[at] == 0xFF) {
    const std::uint8_t marker = jpeg[at + 1];
    if (marker == 0xFF) {  // fill byte
      ++at;
      continue;
    }
    if (marker == kStartOfScan) return 1;
    const std::size_t length = static_cast<std::size_t>(jpeg[at + 2]) << 8 | jpeg[at + 3];
    if (length < 2 || at + 2 + length > jpeg.size()) return 1;
    const std::span<const std::uint8_t> body = jpeg.subspan(at + 4, length - 2);
    if (marker == kApp1 && body.size() > sizeof(kExif) && std::memcmp(body.data(), kExif, sizeof(kExif)) == 0) {
      return orientation_of_tiff(body.subspan(sizeof(kExif)));
    }
    at += 2 + length;
  }
  return 1;
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
