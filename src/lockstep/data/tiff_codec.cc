// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/tiff_codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "lockstep/base/check.h"
#include "lockstep/data/cmyk.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/tiff_file.h"

namespace lockstep {
namespace {

// v * 255 / (2^bits - 1), rounded.
int eight_bits(int value, int bits) {
  if (bits == 16) return (value + 128) / 257;
  return value * 255 / ((1 << bits) - 1);  // without a rest: 255 is a multiple of 1, 3 and 15
}

// `count` samples that stand packed from `from` on, in the byte order of this machine.
void unpack(const std::uint8_t* from, int bits, std::size_t count, std::uint16_t* to) {
  if (bits == 16) {
    std::memcpy(to, from, count * 2);
  } else if (bits == 8) {
    std::copy(from, from + count, to);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t bit = i * static_cast<std::size_t>(bits);
      to[i] = static_cast<std::uint16_t>(from[bit / 8] >> (8 - bits - static_cast<int>(bit % 8)) & ((1 << bits) - 1));
    }
  }
}

// Turns the samples of pixels into blue, green and red of 8 bits.
class PixelWriter {
 public:
  explicit PixelWriter(const TiffFile& file) : header_(file.header()) {
    if (header_.colour == TiffColour::kPalette) read_palette(file);
  }

  void write(const std::uint16_t* samples, std::size_t pixels, std::uint8_t* bgr) const {
    for (std::size_t i = 0; i < pixels; ++i, samples += header_.samples, bgr += 3) {
      write_pixel(samples, bgr);
      if (header_.premultiplied) divide(bgr, eight_bits(samples[header_.colours], header_.bits));
    }
  }

 private:
  // Values of 16 bits of which the lower 8 are the same again or zero; some writers put plain 8 bits there.
  void read_palette(const TiffFile& file) {
    std::array<std::uint16_t*, 3> maps{};
    const int found = TIFFGetField(file.get(), TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]);
    LS_ASSERT(found != 0, "libtiff opened a file without its palette");
    const std::size_t size = std::size_t{1} << header_.bits;
    const bool wide = std::any_of(maps.begin(), maps.end(), [size](const std::uint16_t* map) {
      return std::any_of(map, map + size, [](std::uint16_t value) { return value > 255; });
    });
    palette_.resize(size * 3);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        palette_[3 * i + 2 - c] = static_cast<std::uint8_t>(maps[c][i] >> (wide ? 8 : 0));
    }
  }

  void write_pixel(const std::uint16_t* samples, std::uint8_t* bgr) const {
    const auto value = [&](int c) { return eight_bits(samples[c], header_.bits); };
    switch (header_.colour) {
      case TiffColour::kMinIsWhite: std::fill(bgr, bgr + 3, static_cast<std::uint8_t>(255 - value(0))); break;
      case TiffColour::kMinIsBlack: std::fill(bgr, bgr + 3, static_cast<std::uint8_t>(value(0))); break;
      case TiffColour::kPalette: std::copy_n(palette_.begin() + 3 * samples[0], 3, bgr); break;
      case TiffColour::kCmyk:
        for (int c = 0; c < 3; ++c) bgr[2 - c] = colour_of_ink(value(c), value(3));
        break;
      case TiffColour::kRgb:
      case TiffColour::kYcbcr:  // of JPEG, which gives RGB
        for (int c = 0; c < 3; ++c) bgr[2 - c] = static_cast<std::uint8_t>(value(c));
        break;
    }
  }

  // Pillow's way back from colours that were multiplied with alpha.
  static void divide(std::uint8_t* bgr, int alpha) {
    for (int c = 0; c < 3; ++c) {
      bgr[c] = static_cast<std::uint8_t>(alpha == 0 ? 0 : std::min(bgr[c] * 255 / alpha, 255));
    }
  }

  const TiffHeader& header_;
  std::vector<std::uint8_t> palette_;
};

// The strips or tiles that a page is cut into; a strip is a tile of full width.
struct Grid {
  int width = 0, height = 0;  // of a tile
  std::size_t row_bytes = 0;  // of its rows
  bool tiled = false;

  std::size_t bytes() const { return row_bytes * static_cast<std::size_t>(height); }
};

Grid grid_of(const TiffFile& file, const std::string& path) {
  TIFF* tiff = file.get();
  const TiffHeader& header = file.header();
  Grid grid;
  grid.tiled = TIFFIsTiled(tiff) != 0;
  std::uint32_t width = static_cast<std::uint32_t>(header.size.width), height = 0;
  if (grid.tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &height);
    height = std::min(height, static_cast<std::uint32_t>(header.size.height));
  }
  constexpr std::uint32_t kLongest = std::uint32_t{1} << 20;  // of a tile; so no product below passes 63 bits
  LS_CHECK(kData, width >= 1 && height >= 1 && (!grid.tiled || (width <= kLongest && height <= kLongest)),
           "cannot decode {}: its {} have {} x {} pixels", path, grid.tiled ? "tiles" : "strips", width, height);
  const std::size_t samples = header.planar ? 1 : static_cast<std::size_t>(header.samples);
  grid.width = static_cast<int>(width);
  grid.height = static_cast<int>(height);
  grid.row_bytes = (std::size_t{width} * samples * static_cast<std::size_t>(header.bits) + 7) / 8;
  return grid;
}

// Reads one tile or strip of plane `plane` whose upper left pixel is x, y, of which `rows` rows are in the picture.
void read_tile(const TiffFile& file, const Grid& grid, int x, int y, int plane, int rows,
               std::vector<std::uint8_t>& to) {
  TIFF* tiff = file.get();
  const auto column = static_cast<std::uint32_t>(x), row = static_cast<std::uint32_t>(y);
  const auto sample = static_cast<std::uint16_t>(plane);
  const auto size = static_cast<tmsize_t>(grid.row_bytes) * (grid.tiled ? grid.height : rows);
  const std::uint64_t wanted =
      grid.tiled ? TIFFTileSize64(tiff) : TIFFVStripSize64(tiff, static_cast<std::uint32_t>(rows));
  file.require(wanted == static_cast<std::uint64_t>(size));
  const tmsize_t got = grid.tiled
                           ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, column, row, 0, sample), to.data(), size)
                           : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, row, sample), to.data(), size);
  file.require(got == size);
}

Image decode_samples(const TiffFile& file, const std::string& path, std::int64_t max_pixels) {
  const TiffHeader& header = file.header();
  check_decode_limits(header.size, 3, path, max_pixels);  // before products of the sizes are made
  const Grid grid = grid_of(file, path);
  const std::size_t planes =
      header.planar ? static_cast<std::size_t>(header.colours + (header.premultiplied ? 1 : 0)) : 1;
  const std::size_t samples = static_cast<std::size_t>(header.samples);
  const std::size_t row_samples = static_cast<std::size_t>(grid.width) * samples;
  check_decode_limits(header.size, 3, path, max_pixels,
                      static_cast<std::int64_t>(planes * grid.bytes() + 2 * row_samples));
  const PixelWriter writer(file);
  Image image(header.size.width, header.size.height);
  std::vector<std::vector<std::uint8_t>> tiles(planes, std::vector<std::uint8_t>(grid.bytes()));
  std::vector<std::uint16_t> row(row_samples), plane_row(header.planar ? static_cast<std::size_t>(grid.width) : 0);
  for (int y = 0; y < image.height; y += grid.height) {
    const int rows = std::min(grid.height, image.height - y);
    for (int x = 0; x < image.width; x += grid.width) {
      const auto columns = static_cast<std::size_t>(std::min(grid.width, image.width - x));
      for (std::size_t p = 0; p < planes; ++p) read_tile(file, grid, x, y, static_cast<int>(p), rows, tiles[p]);
      for (int r = 0; r < rows; ++r) {
        const std::size_t at = static_cast<std::size_t>(r) * grid.row_bytes;
        if (!header.planar) {
          unpack(tiles[0].data() + at, header.bits, columns * samples, row.data());
        } else {
          for (std::size_t p = 0; p < planes; ++p) {
            unpack(tiles[p].data() + at, header.bits, columns, plane_row.data());
            for (std::size_t i = 0; i < columns; ++i) row[i * samples + p] = plane_row[i];
          }
        }
        writer.write(row.data(), columns, image.row(y + r) + 3 * static_cast<std::ptrdiff_t>(x));
      }
    }
  }
  return image;
}

// YCbCr with other codes than JPEG's, where one pair of colour samples can serve several pixels.
Image decode_ycbcr(const TiffFile& file, const std::string& path, std::int64_t max_pixels) {
  TIFF* tiff = file.get();
  const TiffHeader& header = file.header();
  char reason[1024] = "";
  LS_CHECK(kUnsupported, TIFFRGBAImageOK(tiff, reason) != 0, "cannot decode {}: {}; convert it to RGB", path, reason);
  check_decode_limits(header.size, 3 + 4, path, max_pixels);
  Image image(header.size.width, header.size.height);
  std::vector<std::uint32_t> rgba(image.bgr.size() / 3);
  std::uint16_t orientation = ORIENTATION_TOPLEFT;  // asking for the one that is stored leaves the picture as it is
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
  file.require(TIFFReadRGBAImageOriented(tiff, static_cast<std::uint32_t>(image.width),
                                         static_cast<std::uint32_t>(image.height), rgba.data(), orientation, 1) != 0);
  for (std::size_t i = 0; i < rgba.size(); ++i) {
    image.bgr[3 * i] = static_cast<std::uint8_t>(TIFFGetB(rgba[i]));
    image.bgr[3 * i + 1] = static_cast<std::uint8_t>(TIFFGetG(rgba[i]));
    image.bgr[3 * i + 2] = static_cast<std::uint8_t>(TIFFGetR(rgba[i]));
  }
  return image;
}

}  // namespace

Image decode_tiff(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels) {
  const TiffFile file(bytes, path);
  const TiffHeader& header = file.header();
  if (header.colour != TiffColour::kYcbcr) return decode_samples(file, path, max_pixels);
  if (!header.jpeg || header.planar) return decode_ycbcr(file, path, max_pixels);
  TIFFSetField(file.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  return decode_samples(file, path, max_pixels);
}

ImageSize read_tiff_size(std::span<const std::uint8_t> bytes, const std::string& path) {
  return TiffFile(bytes, path).header().size;
}

}  // namespace lockstep
