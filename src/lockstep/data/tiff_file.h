// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lockstep/data/image.h"

namespace lockstep {

// What the samples of a pixel are.
enum class TiffColour { kMinIsWhite, kMinIsBlack, kRgb, kPalette, kCmyk, kYcbcr };

struct TiffHeader {
  ImageSize size;
  TiffColour colour = TiffColour::kRgb;
  int bits = 8;                // of a sample: 1, 2, 4, 8 or 16; with a palette at most 8, with YCbCr 8
  int samples = 3;             // of a pixel, with those that are no colours
  int colours = 3;             // of these, the ones that make the colour; they come first
  bool premultiplied = false;  // the sample behind them is alpha, by which they are multiplied
  bool planar = false;         // every sample has strips or tiles of its own
  bool jpeg = false;           // compressed as JPEG
};

// The first page of a TIFF file in memory, opened with libtiff. Its messages become errors that name `path`; nothing is
// printed. Throws
//   kData         the bytes are damaged or end early
//   kUnsupported  samples, colours or compression that are not read
class TiffFile {
 public:
  // `bytes` and `path` must outlive the file.
  TiffFile(std::span<const std::uint8_t> bytes, const std::string& path);
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  const TiffHeader& header() const { return header_; }
  TIFF* get() const { return tiff_.get(); }

  // Throws kData with the first of libtiff's messages since the file was opened, if `done` is false or there is one:
  // libtiff goes on after some errors, with pixels that are missing.
  void require(bool done) const;

 private:
  struct Source {
    std::span<const std::uint8_t> bytes;
    std::size_t at = 0;
    std::string message;
  };
  struct Calls;  // what libtiff calls
  void open();
  TiffHeader read_header() const;
  std::uint16_t field(std::uint32_t tag) const;

  const std::string& path_;
  Source source_;
  std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff_{nullptr, &TIFFClose};
  TiffHeader header_;
};

}  // namespace lockstep
