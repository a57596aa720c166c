// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/jpeg_segments.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::uint8_t kTemporary = 0x01, kFirstRestart = 0xD0, kEndOfImage = 0xD9, kStartOfScan = 0xDA;

// Markers that stand alone: no length and no body follow.
bool stands_alone(std::uint8_t marker) {
  return marker == kTemporary || (marker >= kFirstRestart && marker < kEndOfImage);
}

}  // namespace

void walk_jpeg_segments(std::span<const std::uint8_t> jpeg,
                        const std::function<bool(std::uint8_t, std::span<const std::uint8_t>)>& see) {
  auto at = jpeg.begin();
  while (true) {
    at = std::find(at, jpeg.end(), 0xFF);
    at = std::find_if(at, jpeg.end(), [](std::uint8_t byte) { return byte != 0xFF; });
    if (at == jpeg.end()) return;
    const std::uint8_t marker = *at++;
    if (marker == kStartOfScan || marker == kEndOfImage) return;
    if (marker == 0 || stands_alone(marker)) continue;
    if (jpeg.end() - at < 2) return;
    const std::ptrdiff_t length = at[0] << 8 | at[1];
    if (length < 2 || length > jpeg.end() - at) return;
    if (!see(marker, {at + 2, at + length})) return;
    at += length;
  }
}

}  // namespace lockstep
