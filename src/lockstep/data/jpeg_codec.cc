// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/jpeg_codec.h"

#include <turbojpeg.h>

#include <memory>
#include <string_view>

#include "lockstep/base/check.h"
#include "lockstep/data/image_decode.h"

namespace lockstep {
namespace {

struct DestroyHandle {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using Handle = std::unique_ptr<void, DestroyHandle>;

Handle make_handle(tjhandle made) {
  LS_CHECK(kDevice, made != nullptr, "libjpeg-turbo could not start: {}", tjGetErrorStr2(nullptr));
  return Handle(made);
}

// Made anew for each picture: after a damaged one, a handle of libjpeg-turbo 2.1 keeps broken tables and
// refuses whole pictures ("Bogus Huffman table definition").
Handle make_decoder() { return make_handle(tjInitDecompress()); }

struct Header {
  int width, height, subsampling, colorspace;
};

Header read_header(tjhandle decoder, std::span<const std::uint8_t> bytes, const std::string& path) {
  Header header{};
  const int failed = tjDecompressHeader3(decoder, bytes.data(), bytes.size(), &header.width, &header.height,
                                         &header.subsampling, &header.colorspace);
  LS_CHECK(kData, failed == 0 || tjGetErrorCode(decoder) == TJERR_WARNING, "cannot decode {}: {}", path,
           tjGetErrorStr2(decoder));
  return header;
}

void decode_into(tjhandle decoder, std::span<const std::uint8_t> bytes, const std::string& path, const Header& header,
                 int format, std::uint8_t* pixels) {
  if (tjDecompress2(decoder, bytes.data(), bytes.size(), pixels, header.width, 0, header.height, format, 0) == 0) {
    return;
  }
  // libjpeg goes on after a warning and fills the missing part with grey; only warnings that leave the
  // picture whole (such as extra bytes before a marker) are let through.
  const std::string_view message = tjGetErrorStr2(decoder);
  const bool whole = tjGetErrorCode(decoder) == TJERR_WARNING && message.find("remature end") == std::string_view::npos;
  LS_CHECK(kData, whole, "cannot decode {}: {}", path, message);
}

// Pillow's conversion on inverted ink values: channel = k - k * (255 - ink) / 255, rounded.
void convert_inverted_cmyk(const std::vector<std::uint8_t>& cmyk, Image& image) {
  for (std::size_t i = 0; i < cmyk.size() / 4; ++i) {
    const int black = cmyk[4 * i + 3];
    for (std::size_t c = 0; c < 3; ++c) {
      const int product = (255 - cmyk[4 * i + c]) * black + 128;
      image.bgr[3 * i + 2 - c] = static_cast<std::uint8_t>(black - ((product + (product >> 8)) >> 8));
    }
  }
}

}  // namespace

Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels) {
  const Handle decoder = make_decoder();
  const Header header = read_header(decoder.get(), bytes, path);
  check_pixel_limit({header.width, header.height}, path, max_pixels);
  Image image(header.width, header.height);
  if (header.colorspace == TJCS_CMYK || header.colorspace == TJCS_YCCK) {
    std::vector<std::uint8_t> cmyk(image.bgr.size() / 3 * 4);
    decode_into(decoder.get(), bytes, path, header, TJPF_CMYK, cmyk.data());
    convert_inverted_cmyk(cmyk, image);
  } else {
    decode_into(decoder.get(), bytes, path, header, TJPF_BGR, image.bgr.data());
  }
  return image;
}

ImageSize read_jpeg_size(std::span<const std::uint8_t> bytes, const std::string& path) {
  const Handle decoder = make_decoder();
  const Header header = read_header(decoder.get(), bytes, path);
  return {header.width, header.height};
}

std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality) {
  const Handle encoder = make_handle(tjInitCompress());
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  const int failed = tjCompress2(encoder.get(), image.bgr.data(), image.width, 0, image.height, TJPF_BGR, &memory,
                                 &size, TJSAMP_444, quality, 0);
  const std::unique_ptr<unsigned char, decltype(&tjFree)> owner(memory, &tjFree);
  LS_CHECK(kInternal, failed == 0, "cannot encode a {} x {} picture as JPEG: {}", image.width, image.height,
           tjGetErrorStr2(encoder.get()));
  return {memory, memory + size};
}

}  // namespace lockstep
