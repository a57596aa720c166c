// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

// The value (0 to 255) of red, green or blue where cyan, magenta or yellow has the given amount of ink and black the
// other: Pillow's conversion, white * (255 - ink) / 255 with white = 255 - black, rounded.
inline std::uint8_t colour_of_ink(int ink, int black) {
  const int white = 255 - black, product = ink * white + 128;
  return static_cast<std::uint8_t>(white - ((product + (product >> 8)) >> 8));
}

}  // namespace lockstep
