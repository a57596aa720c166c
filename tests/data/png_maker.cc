// SPDX-License-Identifier: Apache-2.0
#include "data/png_maker.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

using Bytes = std::vector<std::uint8_t>;

void put32(Bytes& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint32_t crc32(const std::uint8_t* data, std::size_t size) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

// A zlib stream of stored blocks.
Bytes stored(const Bytes& data) {
  constexpr std::size_t kBlock = 65535;
  Bytes stream = {0x78, 0x01};
  std::size_t at = 0;
  do {
    const std::size_t size = std::min(kBlock, data.size() - at);
    const bool last = at + size == data.size();
    for (const std::size_t half : {size, ~size}) {
      if (half == size) stream.push_back(last ? 1 : 0);
      stream.push_back(static_cast<std::uint8_t>(half));
      stream.push_back(static_cast<std::uint8_t>(half >> 8));
    }
    stream.insert(stream.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                  data.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  } while (at < data.size());
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t byte : data) a = (a + byte) % 65521, b = (b + a) % 65521;
  put32(stream, b << 16 | a);
  return stream;
}

// The rows of one pass of the picture (x0, y0, steps), each behind its filter byte 0.
void put_rows(const PngKind& kind, const PngSample& sample, std::array<std::uint32_t, 4> pass, Bytes& rows) {
  const auto [x0, y0, dx, dy] = pass;
  if (x0 >= kind.width) return;
  for (std::uint32_t y = y0; y < kind.height; y += dy) {
    rows.push_back(0);
    int bits = 0, held = 0;
    for (std::uint32_t x = x0; x < kind.width; x += dx) {
      for (int c = 0; c < png_channels(kind.color_type); ++c) {
        held = held << kind.bit_depth | sample(static_cast<int>(x), static_cast<int>(y), c);
        for (bits += kind.bit_depth; bits >= 8; bits -= 8) {
          rows.push_back(static_cast<std::uint8_t>(held >> (bits - 8)));
        }
        held &= 0xFF;
      }
    }
    if (bits > 0) rows.push_back(static_cast<std::uint8_t>(held << (8 - bits)));
  }
}

}  // namespace

int png_channels(int color_type) { return color_type == 2 ? 3 : color_type == 4 ? 2 : color_type == 6 ? 4 : 1; }

std::vector<std::uint8_t> png_chunk(const std::string& name, const std::vector<std::uint8_t>& body) {
  Bytes chunk;
  put32(chunk, static_cast<std::uint32_t>(body.size()));
  chunk.insert(chunk.end(), name.begin(), name.end());
  chunk.insert(chunk.end(), body.begin(), body.end());
  put32(chunk, crc32(chunk.data() + 4, chunk.size() - 4));
  return chunk;
}

std::vector<std::uint8_t> make_png(const PngKind& kind, const PngSample& sample) {
  Bytes header;
  put32(header, kind.width);
  put32(header, kind.height);
  header.insert(header.end(), {static_cast<std::uint8_t>(kind.bit_depth), static_cast<std::uint8_t>(kind.color_type), 0,
                               0, static_cast<std::uint8_t>(kind.interlaced ? 1 : 0)});
  Bytes rows;
  PngKind shown = kind;
  shown.height -= static_cast<std::uint32_t>(kind.missing_rows);
  if (kind.interlaced) {
    constexpr std::array<std::array<std::uint32_t, 4>, 7> kAdam7 = {
        {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
    for (const auto& pass : kAdam7) put_rows(shown, sample, pass, rows);
  } else {
    put_rows(shown, sample, {0, 0, 1, 1}, rows);
  }
  Bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  const auto add = [&](const Bytes& chunk) { file.insert(file.end(), chunk.begin(), chunk.end()); };
  add(png_chunk("IHDR", header));
  if (!kind.palette.empty()) add(png_chunk("PLTE", kind.palette));
  if (!kind.transparency.empty()) add(png_chunk("tRNS", kind.transparency));
  add(kind.more_chunks);
  const Bytes stream = stored(rows);
  for (std::size_t i = 0; i < kind.pieces; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(stream.size() * i / kind.pieces);
    const auto to = static_cast<std::ptrdiff_t>(stream.size() * (i + 1) / kind.pieces);
    add(png_chunk("IDAT", Bytes(stream.begin() + from, stream.begin() + to)));
  }
  add(png_chunk("IEND", {}));
  return file;
}

}  // namespace lockstep
