// SPDX-License-Identifier: Apache-2.0
#include "data/webp_maker.h"

#include <webp/encode.h>

#include <stdexcept>

namespace lockstep {
namespace {

using Bytes = std::vector<std::uint8_t>;

void put(Bytes& to, std::size_t value, int width) {
  for (int i = 0; i < width; ++i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("libwebp cannot ") + what);
}

Bytes bgra_of(const Image& image, bool alpha) {
  Bytes bgra;
  for (std::size_t i = 0; i < image.bgr.size(); i += 3) {
    bgra.insert(bgra.end(), image.bgr.begin() + static_cast<std::ptrdiff_t>(i),
                image.bgr.begin() + static_cast<std::ptrdiff_t>(i) + 3);
    bgra.push_back(alpha ? static_cast<std::uint8_t>(i / 3 * 255 * 3 / image.bgr.size()) : 255);
  }
  return bgra;
}

Bytes riff(const Bytes& chunks) {
  Bytes file = {'R', 'I', 'F', 'F'};
  put(file, chunks.size() + 4, 4);
  file.insert(file.end(), {'W', 'E', 'B', 'P'});
  file.insert(file.end(), chunks.begin(), chunks.end());
  return file;
}

}  // namespace

std::vector<std::uint8_t> make_webp(const Image& image, const WebpKind& kind) {
  WebPConfig config;
  require(WebPConfigInit(&config) != 0, "start");
  config.lossless = kind.lossless ? 1 : 0;
  config.quality = 95;
  config.exact = 1;
  config.method = 0;  // the quickest
  config.alpha_compression = kind.lossless_alpha ? 1 : 0;
  WebPPicture picture;
  require(WebPPictureInit(&picture) != 0, "start");
  picture.use_argb = 1;
  picture.width = image.width;
  picture.height = image.height;
  WebPMemoryWriter memory;
  WebPMemoryWriterInit(&memory);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &memory;
  const Bytes bgra = bgra_of(image, kind.alpha);
  require(WebPPictureImportBGRA(&picture, bgra.data(), image.width * 4) != 0, "take the picture");
  require(WebPEncode(&config, &picture) != 0, "encode");
  Bytes file(memory.mem, memory.mem + memory.size);
  WebPMemoryWriterClear(&memory);
  WebPPictureFree(&picture);
  return file;
}

std::vector<std::uint8_t> webp_chunk(const std::string& name, const std::vector<std::uint8_t>& body) {
  Bytes chunk(name.begin(), name.end());
  put(chunk, body.size(), 4);
  chunk.insert(chunk.end(), body.begin(), body.end());
  if (body.size() % 2 == 1) chunk.push_back(0);
  return chunk;
}

std::vector<std::uint8_t> extended_webp(const std::vector<std::uint8_t>& webp, ImageSize canvas,
                                        const WebpExtras& extras) {
  Bytes header;
  put(header, static_cast<std::size_t>(extras.flags), 4);
  put(header, static_cast<std::size_t>(canvas.width - 1), 3);
  put(header, static_cast<std::size_t>(canvas.height - 1), 3);
  Bytes chunks = webp_chunk("VP8X", header);
  chunks.insert(chunks.end(), extras.before.begin(), extras.before.end());
  chunks.insert(chunks.end(), webp.begin() + 12, webp.end());
  chunks.insert(chunks.end(), extras.behind.begin(), extras.behind.end());
  return riff(chunks);
}

}  // namespace lockstep
