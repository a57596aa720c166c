// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/data/image.h"

namespace lockstep {

struct WebpKind {
  bool lossless = true;
  bool alpha = false;          // from 0 to 255 along the picture, which libwebp writes with the colours kept
  bool lossless_alpha = true;  // of a lossy picture
};

// A whole file of the simple layout, or of the extended one where a lossy picture has alpha.
std::vector<std::uint8_t> make_webp(const Image& image, const WebpKind& kind);

// Name, length, body and the padding.
std::vector<std::uint8_t> webp_chunk(const std::string& name, const std::vector<std::uint8_t>& body);

// A file of the extended layout: flags and size, `before`, the picture's chunks of `webp`, `behind`.
struct WebpExtras {
  int flags = 0;  // 0x20 colour profile, 0x10 alpha, 0x08 EXIF, 0x04 XMP, 0x02 animation
  std::vector<std::uint8_t> before = {};
  std::vector<std::uint8_t> behind = {};
};
std::vector<std::uint8_t> extended_webp(const std::vector<std::uint8_t>& webp, ImageSize canvas,
                                        const WebpExtras& extras);

}  // namespace lockstep
