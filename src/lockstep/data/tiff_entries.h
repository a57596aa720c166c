// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lockstep {

// Tags of TIFF directories that are looked at outside of libtiff; 6.0 of the specification.
enum class TiffTag : std::uint16_t {
  kBitsPerSample = 258,
  kCompression = 259,
  kPhotometric = 262,
  kOrientation = 274,
  kSamplesPerPixel = 277,
  kExtraSamples = 338,
};

// The first value of an entry in the first directory of a TIFF structure, which is what EXIF data are too: classic or
// BigTIFF, in either byte order. Nothing when there is no such entry, it is no BYTE, SHORT or LONG, or the structure is
// damaged before it.
std::optional<std::uint32_t> read_tiff_value(std::span<const std::uint8_t> tiff, TiffTag tag);

}  // namespace lockstep
