// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/webp_codec.h"

#include <webp/decode.h>

#include "lockstep/base/check.h"
#include "lockstep/data/image_decode.h"

namespace lockstep {
namespace {

void require(VP8StatusCode status, const std::string& path) {
  LS_CHECK(kDevice, status != VP8_STATUS_OUT_OF_MEMORY, "out of memory while decoding {}", path);
  LS_CHECK(kData, status != VP8_STATUS_NOT_ENOUGH_DATA, "cannot decode {}: its WebP data end early", path);
  LS_CHECK(kUnsupported, status != VP8_STATUS_UNSUPPORTED_FEATURE,
           "cannot decode {}: it uses a feature of WebP that libwebp does not read; convert it to PNG", path);
  LS_CHECK(kData, status == VP8_STATUS_OK, "cannot decode {}: its WebP data are damaged", path);
}

// The most that libwebp holds per pixel, the result included. Lossless pictures and lossless alpha are decoded to 32
// bits per pixel first; alpha has a plane of its own beside it.
int bytes_per_pixel(const WebpHeader& header) {
  if (header.lossless) return 3 + 4;
  return header.alpha ? 3 + 1 + 4 : 3;
}

}  // namespace

WebpHeader read_webp_header(std::span<const std::uint8_t> bytes, const std::string& path) {
  WebPBitstreamFeatures features{};
  require(WebPGetFeatures(bytes.data(), bytes.size(), &features), path);
  LS_CHECK(kUnsupported, features.has_animation == 0,
           "cannot decode {}: it is an animation; store the frame that was annotated as a still picture", path);
  constexpr int kLossless = 2;
  return {{features.width, features.height}, features.format == kLossless, features.has_alpha != 0};
}

Image decode_webp(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels) {
  const WebpHeader header = read_webp_header(bytes, path);
  check_decode_limits(header.size, bytes_per_pixel(header), path, max_pixels);
  Image image(header.size.width, header.size.height);
  WebPDecoderConfig config;
  LS_CHECK(kInternal, WebPInitDecoderConfig(&config) != 0, "the program was built for another version of libwebp");
  config.output.colorspace = MODE_BGR;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {image.bgr.data(), image.width * 3, image.bgr.size()};
  require(WebPDecode(bytes.data(), bytes.size(), &config), path);
  return image;
}

ImageSize read_webp_size(std::span<const std::uint8_t> bytes, const std::string& path) {
  return read_webp_header(bytes, path).size;
}

}  // namespace lockstep
