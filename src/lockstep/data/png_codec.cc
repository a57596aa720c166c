// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/png_codec.h"

#include <spng.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_decode.h"

namespace lockstep {
namespace {

using Context = std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)>;

Context make_context(int flags) {
  Context context(spng_ctx_new(flags), &spng_ctx_free);
  LS_CHECK(kDevice, context != nullptr, "out of memory: libspng could not start");
  return context;
}

void require(int code, const std::string& path) {
  LS_CHECK(kData, code != SPNG_EOVERFLOW, "cannot decode {}: its sides are longer than any memory holds", path);
  LS_CHECK(kData, code == 0, "cannot decode {}: {}", path, spng_strerror(code));
}

spng_ihdr open_png(spng_ctx* context, std::span<const std::uint8_t> bytes, const std::string& path) {
  // Texts and profiles are not needed: of them only little is kept in memory, and a wrong check sum does no harm.
  constexpr std::size_t kChunkBytes = std::size_t{64} << 20;
  require(spng_set_chunk_limits(context, kChunkBytes, 2 * kChunkBytes), path);
  require(spng_set_crc_action(context, SPNG_CRC_ERROR, SPNG_CRC_DISCARD), path);
  require(spng_set_png_buffer(context, bytes.data(), bytes.size()), path);
  spng_ihdr header{};
  require(spng_get_ihdr(context, &header), path);
  return header;
}

void swap_red_and_blue(std::vector<std::uint8_t>& pixels) {
  for (std::size_t i = 0; i + 2 < pixels.size(); i += 3) std::swap(pixels[i], pixels[i + 2]);
}

}  // namespace

Image decode_png(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels) {
  const Context context = make_context(0);
  const spng_ihdr header = open_png(context.get(), bytes, path);
  const ImageSize size{static_cast<int>(header.width), static_cast<int>(header.height)};
  // Interlaced pictures are put together by libspng in a buffer of its own.
  const int bytes_per_pixel = header.bit_depth == 16 ? 3 + 8 : 3;
  check_decode_limits(size, bytes_per_pixel, path, max_pixels);
  Image image(size.width, size.height);
  if (header.bit_depth == 16) {
    const std::size_t pixels = image.bgr.size() / 3;
    std::vector<std::uint16_t> rgba(pixels * 4);
    require(spng_decode_image(context.get(), rgba.data(), rgba.size() * 2, SPNG_FMT_RGBA16, 0), path);
    for (std::size_t i = 0; i < pixels; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        image.bgr[3 * i + 2 - c] = static_cast<std::uint8_t>((rgba[4 * i + c] + 128) / 257);
      }
    }
    return image;
  }
  require(spng_decode_image(context.get(), image.bgr.data(), image.bgr.size(), SPNG_FMT_RGB8, 0), path);
  swap_red_and_blue(image.bgr);
  return image;
}

ImageSize read_png_size(std::span<const std::uint8_t> bytes, const std::string& path) {
  const Context context = make_context(0);
  const spng_ihdr header = open_png(context.get(), bytes, path);
  return {static_cast<int>(header.width), static_cast<int>(header.height)};
}

std::vector<std::uint8_t> encode_png(const Image& image) {
  const Context context = make_context(SPNG_CTX_ENCODER);
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(image.width);
  header.height = static_cast<std::uint32_t>(image.height);
  header.bit_depth = 8;
  header.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
  spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
  spng_set_ihdr(context.get(), &header);
  std::vector<std::uint8_t> rgb = image.bgr;
  swap_red_and_blue(rgb);
  int code = spng_encode_image(context.get(), rgb.data(), rgb.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
  std::size_t size = 0;
  const std::unique_ptr<void, decltype(&std::free)> memory(
      code == 0 ? spng_get_png_buffer(context.get(), &size, &code) : nullptr, &std::free);
  LS_CHECK(kInternal, code == 0, "cannot encode a {} x {} picture as PNG: {}", image.width, image.height,
           spng_strerror(code));
  const auto* first = static_cast<const std::uint8_t*>(memory.get());
  return {first, first + size};
}

void write_png(const std::string& path, const Image& image) { write_file(path, encode_png(image)); }

}  // namespace lockstep
