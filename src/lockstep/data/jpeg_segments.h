// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace lockstep {

// Calls `see(marker, body)` for each marker segment of a JPEG file before its first scan, in order, until it gives
// false. As libjpeg does, stray bytes and fill bytes before a marker are passed over. A segment whose length leaves the
// file ends the walk. The body is what follows the two bytes of the length.
void walk_jpeg_segments(std::span<const std::uint8_t> jpeg,
                        const std::function<bool(std::uint8_t marker, std::span<const std::uint8_t> body)>& see);

}  // namespace lockstep
