// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_decode.h"

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/data/exif.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace {

enum class Format { kJpeg, kPng };

bool starts_with(std::span<const std::uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

Format detect_format(std::span<const std::uint8_t> bytes, const std::string& path) {
  if (starts_with(bytes, "\xFF\xD8\xFF")) return Format::kJpeg;
  if (starts_with(bytes, "\x89PNG\r\n\x1A\n")) return Format::kPng;
  LS_CHECK(kData, !bytes.empty(), "cannot decode {}: 0 bytes", path);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOthers = {
      {{"GIF8", "GIF"}, {"BM", "BMP"}, {"RIFF", "WebP"}, {"II*", "TIFF"}, {"MM\0*", "TIFF"}}};
  for (const auto& [magic, name] : kOthers) {
    LS_CHECK(kUnsupported, !starts_with(bytes, magic),
             "cannot decode {}: it is a {} file; convert it to JPEG or PNG, the formats that are read", path, name);
  }
  LS_THROW(kData, "cannot decode {}: {} bytes that start with neither a JPEG nor a PNG signature", path, bytes.size());
}

int orientation_of(std::span<const std::uint8_t> bytes) {
  return starts_with(bytes, "\xFF\xD8\xFF") ? read_exif_orientation(bytes) : 1;
}

}  // namespace

void check_pixel_limit(ImageSize size, const std::string& path, std::int64_t max_pixels) {
  LS_CHECK(kData, size.width >= 1 && size.height >= 1, "cannot decode {}: its size is {} x {} pixels", path, size.width,
           size.height);
  LS_CHECK(kData, std::int64_t{size.width} * size.height <= max_pixels,
           "cannot decode {}: {} x {} pixels are more than the limit of {} million pixels; make the picture smaller",
           path, size.width, size.height, max_pixels / 1'000'000);
}

Image decode_image(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels) {
  return detect_format(bytes, path) == Format::kJpeg ? decode_jpeg(bytes, path, max_pixels)
                                                     : decode_png(bytes, path, max_pixels);
}

Image orient_image(Image image, std::span<const std::uint8_t> bytes, ImageSize annotated, const std::string& path) {
  const int orientation = orientation_of(bytes);
  const bool turn = should_apply_orientation({image.width, image.height}, orientation, annotated, path);
  return turn ? apply_orientation(image, orientation) : std::move(image);
}

Image load_image(const std::string& path, ImageSize annotated, std::int64_t max_pixels) {
  const std::vector<std::uint8_t> bytes = read_file(path);
  return orient_image(decode_image(bytes, path, max_pixels), bytes, annotated, path);
}

ImageSize read_image_size(const std::string& path) {
  constexpr std::size_t kHeaderBytes = 256 * 1024;  // EXIF thumbnails come before the size
  const std::vector<std::uint8_t> bytes = read_file_start(path, kHeaderBytes);
  const bool jpeg = detect_format(bytes, path) == Format::kJpeg;
  const ImageSize stored = jpeg ? read_jpeg_size(bytes, path) : read_png_size(bytes, path);
  const bool swapped = orientation_of(bytes) >= 5;
  return swapped ? ImageSize{stored.height, stored.width} : stored;
}

}  // namespace lockstep
