// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/webp_chunks.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::size_t kRiffHeader = 12;  // "RIFF", the length of the file, "WEBP"
constexpr std::size_t kChunkHeader = 8;  // name and length of the body, which is padded to an even one

bool has_name(std::span<const std::uint8_t> chunk, std::string_view name) {
  return chunk.size() >= name.size() && std::memcmp(chunk.data(), name.data(), name.size()) == 0;
}

std::size_t body_length(std::span<const std::uint8_t> chunk) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::size_t{chunk[4 + i]} << (8 * i);
  return length;
}

}  // namespace

bool announces_webp_exif(std::span<const std::uint8_t> webp) {
  constexpr std::size_t kFlags = kRiffHeader + kChunkHeader;
  constexpr std::uint8_t kExifFlag = 0x08;
  return webp.size() > kFlags && has_name(webp.subspan(kRiffHeader), "VP8X") && (webp[kFlags] & kExifFlag) != 0;
}

std::span<const std::uint8_t> webp_exif(std::span<const std::uint8_t> webp) {
  if (!announces_webp_exif(webp)) return {};
  std::span<const std::uint8_t> chunk = webp.subspan(kRiffHeader);
  while (chunk.size() >= kChunkHeader) {
    const std::size_t length = body_length(chunk);
    const std::span<const std::uint8_t> body = chunk.subspan(kChunkHeader);
    if (length > body.size()) return {};
    if (has_name(chunk, "EXIF")) return body.first(length);
    chunk = body.subspan(std::min(length + length % 2, body.size()));
  }
  return {};
}

}  // namespace lockstep
