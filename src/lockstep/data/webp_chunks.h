// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace lockstep {

// True when the header of a WebP file says that it has an EXIF chunk, which stands behind the pixels.
bool announces_webp_exif(std::span<const std::uint8_t> webp);

// The contents of the first EXIF chunk; empty when there is none, it leaves the file, or the header does not announce
// it.
std::span<const std::uint8_t> webp_exif(std::span<const std::uint8_t> webp);

}  // namespace lockstep
