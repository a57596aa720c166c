// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_decode.h"

#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/data/exif.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_format.h"
#include "lockstep/data/webp_chunks.h"

namespace lockstep {

void check_decode_limits(ImageSize size, int bytes_per_pixel, const std::string& path, std::int64_t max_pixels,
                         std::int64_t other_bytes) {
  LS_CHECK(kData, size.width >= 1 && size.height >= 1, "cannot decode {}: its size is {} x {} pixels", path, size.width,
           size.height);
  const std::int64_t pixels = std::int64_t{size.width} * size.height;
  LS_CHECK(kData, pixels <= max_pixels,
           "cannot decode {}: {} x {} pixels are more than the limit of {} million pixels; make the picture smaller",
           path, size.width, size.height, max_pixels / 1'000'000);
  const std::int64_t bytes = pixels * bytes_per_pixel + other_bytes;
  LS_CHECK(kData, bytes <= kMaxDecodeBytes,
           "cannot decode {}: {} x {} pixels would take {} MB of memory, and the limit is {} MB; make the picture "
           "smaller",
           path, size.width, size.height, bytes / 1'000'000, kMaxDecodeBytes / 1'000'000);
}

Image decode_image(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels) {
  switch (image_format(bytes)) {
    case ImageFormat::kJpeg: return decode_jpeg(bytes, path, max_pixels);
    case ImageFormat::kPng: return decode_png(bytes, path, max_pixels);
    case ImageFormat::kWebp: return decode_webp(bytes, path, max_pixels);
    case ImageFormat::kTiff: return decode_tiff(bytes, path, max_pixels);
    case ImageFormat::kUnknown: break;
  }
  throw_no_image(bytes, path);
}

Image orient_image(Image image, std::span<const std::uint8_t> bytes, ImageSize annotated, const std::string& path) {
  const int orientation = read_exif_orientation(bytes);
  const bool turn = should_apply_orientation({image.width, image.height}, orientation, annotated, path);
  return turn ? apply_orientation(image, orientation) : std::move(image);
}

Image load_image(const std::string& path, ImageSize annotated, std::int64_t max_pixels) {
  const std::vector<std::uint8_t> bytes = read_file(path);
  return orient_image(decode_image(bytes, path, max_pixels), bytes, annotated, path);
}

std::vector<std::uint8_t> read_image_header(const std::string& path) {
  // Enough for thumbnails and colour profiles, which come before the size.
  constexpr std::size_t kHeaderBytes = std::size_t{256} * 1024;
  std::vector<std::uint8_t> bytes = read_file_start(path, kHeaderBytes);
  if (bytes.size() < kHeaderBytes) return bytes;
  if (image_format(bytes) == ImageFormat::kWebp && announces_webp_exif(bytes)) return read_file(path);
  try {
    stored_image_size(bytes, path);
  } catch (const Error&) {
    return read_file(path);
  }
  return bytes;
}

ImageSize stored_image_size(std::span<const std::uint8_t> bytes, const std::string& path) {
  switch (image_format(bytes)) {
    case ImageFormat::kJpeg: return read_jpeg_size(bytes, path);
    case ImageFormat::kPng: return read_png_size(bytes, path);
    case ImageFormat::kWebp: return read_webp_size(bytes, path);
    case ImageFormat::kTiff: return read_tiff_size(bytes, path);
    case ImageFormat::kUnknown: break;
  }
  throw_no_image(bytes, path);
}

ImageSize read_image_size(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_image_header(path);
  const ImageSize stored = stored_image_size(bytes, path);
  const bool swapped = read_exif_orientation(bytes) >= 5;
  return swapped ? ImageSize{stored.height, stored.width} : stored;
}

}  // namespace lockstep
