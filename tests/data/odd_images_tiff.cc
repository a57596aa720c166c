// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "data/exif_test_util.h"
#include "data/odd_image_cases.h"
#include "data/tiff_maker.h"
#include "lockstep/data/cmyk.h"
#include "lockstep/data/exif.h"

namespace lockstep {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int kJpegTolerance = 4;
constexpr int kCoarseTolerance = 9;  // with subsampled colours

// Values of all sizes, another in each channel.
int sample_of(int x, int y, int c, int bits) {
  const int mixed = (x * 2749 + y * 7919 + c * 15013 + 40) & 0xFFFF;
  return mixed >> (16 - bits);
}

int eight_bits(int value, int bits) {
  const int top = (1 << bits) - 1;
  return (value * 510 + top) / (2 * top);
}

// What the picture is in 8 bits.
Image expected_of(const TiffKind& kind, const TiffSample& sample) {
  Image image(kind.width, kind.height);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto value = [&](int c) { return eight_bits(sample(x, y, c), kind.bits); };
      for (int c = 0; c < 3; ++c) {
        std::uint8_t& to = image.row(y)[3 * x + 2 - c];
        int colour = 0;
        switch (kind.photometric) {
          case PHOTOMETRIC_MINISWHITE: colour = 255 - value(0); break;
          case PHOTOMETRIC_MINISBLACK: colour = value(0); break;
          case PHOTOMETRIC_PALETTE:
            colour = kind.palette[static_cast<std::size_t>((c << kind.bits) + sample(x, y, 0))] >> 8;
            break;
          case PHOTOMETRIC_SEPARATED: colour = colour_of_ink(value(c), value(3)); break;
          default: colour = value(c);
        }
        const bool divided = !kind.extras.empty() && kind.extras[0] == EXTRASAMPLE_ASSOCALPHA;
        const int alpha = divided ? value(kind.samples - static_cast<int>(kind.extras.size())) : 255;
        to = static_cast<std::uint8_t>(alpha == 0 ? 0 : std::min(colour * 255 / alpha, 255));
      }
    }
  }
  return image;
}

OddImage read(std::string name, Bytes bytes, const Image& upright, std::string rules = "", int tolerance = 0,
              std::string file_name = "a.tif") {
  return {std::move(name), std::move(file_name), std::move(bytes), std::move(rules), upright, tolerance};
}

OddImage tiff(std::string name, const TiffKind& kind, std::string rules = "") {
  const TiffSample sample = [bits = kind.bits](int x, int y, int c) { return sample_of(x, y, c, bits); };
  return read(std::move(name), make_tiff(kind, sample), expected_of(kind, sample), std::move(rules));
}

OddImage damaged(std::string name, Bytes bytes, std::string error) {
  return refused(std::move(name), "a.tif", std::move(bytes), "file-undecodable:1", std::move(error));
}

OddImage unsupported(std::string name, Bytes bytes, std::string error) {
  return refused(std::move(name), "a.tif", std::move(bytes), "file-unsupported:1", std::move(error),
                 ErrorKind::kUnsupported);
}

TiffKind grey(int bits, int photometric = PHOTOMETRIC_MINISBLACK) {
  return {.photometric = photometric, .bits = bits, .samples = 1};
}

TiffKind palette(int bits, int scale = 257) {
  TiffKind kind = grey(bits, PHOTOMETRIC_PALETTE);
  for (int i = 0; i < 3 << bits; ++i) kind.palette.push_back(static_cast<std::uint16_t>((i * 89 + 11) % 256 * scale));
  return kind;
}

TiffKind cmyk(int bits, std::vector<std::uint16_t> extras = {}) {
  const int samples = 4 + static_cast<int>(extras.size());
  return {.photometric = PHOTOMETRIC_SEPARATED, .bits = bits, .samples = samples, .extras = std::move(extras)};
}

TiffKind packed(int compression, int bits = 8, int predictor = PREDICTOR_NONE) {
  return {.bits = bits, .compression = compression, .predictor = predictor};
}

std::vector<OddImage> colour_cases() {
  std::vector<OddImage> cases;
  for (const int bits : {1, 2, 4, 8, 16}) {
    const std::string rules = bits == 16 ? "file-grey:1 file-sixteen-bit:1" : "file-grey:1";
    cases.push_back(tiff("TiffGrey" + std::to_string(bits), grey(bits), rules));
    cases.push_back(tiff("TiffInverted" + std::to_string(bits), grey(bits, PHOTOMETRIC_MINISWHITE), rules));
    const std::string colour_rules = bits == 16 ? "file-sixteen-bit:1" : "";
    cases.push_back(tiff("TiffColour" + std::to_string(bits), {.bits = bits}, colour_rules));
    if (bits <= 8) cases.push_back(tiff("TiffPalette" + std::to_string(bits), palette(bits)));
  }
  cases.push_back(tiff("TiffPaletteShifted", palette(8, 256)));
  OddImage narrow = tiff("TiffPaletteOfBytes", palette(8, 1));
  narrow.upright = tiff("", palette(8, 257)).upright;
  cases.push_back(narrow);
  TiffKind with_alpha = palette(8);
  with_alpha.samples = 2, with_alpha.extras = {EXTRASAMPLE_UNASSALPHA};
  cases.push_back(tiff("TiffPaletteAlpha", with_alpha, "file-alpha:1"));
  for (const int bits : {8, 16}) {
    const std::string end = std::to_string(bits), deep = bits == 16 ? " file-sixteen-bit:1" : "";
    cases.push_back(tiff("TiffCmyk" + end, cmyk(bits), bits == 16 ? "file-sixteen-bit:1 file-cmyk:1" : "file-cmyk:1"));
    cases.push_back(tiff("TiffCmykAlpha" + end, cmyk(bits, {EXTRASAMPLE_UNASSALPHA}), "file-alpha:1" + deep));
    const std::vector<std::pair<std::string, int>> extras = {{"Alpha", EXTRASAMPLE_UNASSALPHA},
                                                             {"Premultiplied", EXTRASAMPLE_ASSOCALPHA},
                                                             {"Extra", EXTRASAMPLE_UNSPECIFIED}};
    for (const auto& [name, kind] : extras) {
      const auto extra = static_cast<std::uint16_t>(kind);
      cases.push_back(
          tiff("TiffColour" + name + end, {.bits = bits, .samples = 4, .extras = {extra}}, "file-alpha:1" + deep));
      TiffKind with_grey = grey(bits);
      with_grey.samples = 2, with_grey.extras = {extra};
      cases.push_back(tiff("TiffGrey" + name + end, with_grey, "file-grey:1 file-alpha:1" + deep));
    }
    cases.push_back(
        tiff("TiffColourPlanar" + end, {.bits = bits, .planar = true}, bits == 16 ? "file-sixteen-bit:1" : ""));
    cases.push_back(tiff("TiffPremultipliedPlanar" + end,
                         {.bits = bits, .samples = 4, .extras = {EXTRASAMPLE_ASSOCALPHA}, .planar = true},
                         "file-alpha:1" + deep));
  }
  return cases;
}

std::vector<OddImage> layout_cases() {
  std::vector<OddImage> cases = {
      tiff("TiffOneStrip", {.rows_per_strip = 0}),
      tiff("TiffRowsAsStrips", {.rows_per_strip = 1}),
      tiff("TiffTiles", {.tile = 16}),
      tiff("TiffOneTile", {.tile = 64}),
      tiff("TiffTilesPlanar", {.bits = 16, .planar = true, .tile = 16}, "file-sixteen-bit:1"),
      tiff("TiffBigEndian", {.byte_order = "b"}),
      tiff("TiffBigEndian16", {.bits = 16, .byte_order = "b"}, "file-sixteen-bit:1"),
      tiff("TiffBig", {.byte_order = "l8"}),
      tiff("TiffBigBigEndian16", {.bits = 16, .byte_order = "b8"}, "file-sixteen-bit:1"),
      tiff("TiffTwoPages", {.second_page = true}),
      tiff("TiffOneByOne", {.width = 1, .height = 1}),
      tiff("TiffOneRow", {.width = 40, .height = 1}, "file-extreme-shape:1"),
      tiff("TiffOneColumn", {.width = 1, .height = 40}, "file-extreme-shape:1"),
      tiff("TiffPackBits", packed(COMPRESSION_PACKBITS)),
      tiff("TiffLzw", packed(COMPRESSION_LZW)),
      tiff("TiffLzwPredictor", packed(COMPRESSION_LZW, 8, PREDICTOR_HORIZONTAL)),
      tiff("TiffLzwPredictor16", packed(COMPRESSION_LZW, 16, PREDICTOR_HORIZONTAL), "file-sixteen-bit:1"),
      tiff("TiffDeflate", packed(COMPRESSION_ADOBE_DEFLATE)),
      tiff("TiffDeflateOld", packed(COMPRESSION_DEFLATE)),
      tiff("TiffLzma", packed(COMPRESSION_LZMA)),
      tiff("TiffZstd", packed(COMPRESSION_ZSTD)),
  };
  TiffKind in_tiles = grey(1);
  in_tiles.tile = 16;
  cases.push_back(tiff("TiffGrey1Tiles", in_tiles, "file-grey:1"));
  for (const auto& [name, compression] :
       std::vector<std::pair<std::string, int>>{{"TiffFaxRuns", COMPRESSION_CCITTRLE},
                                                {"TiffFax3", COMPRESSION_CCITTFAX3},
                                                {"TiffFax4", COMPRESSION_CCITTFAX4}}) {
    TiffKind fax = grey(1, PHOTOMETRIC_MINISWHITE);
    fax.compression = compression;
    cases.push_back(tiff(name, fax, "file-grey:1"));
  }
  TiffKind reversed = grey(1);
  reversed.fill_order = FILLORDER_LSB2MSB;
  cases.push_back(tiff("TiffBitsReversed", reversed, "file-grey:1"));
  cases.push_back(tiff("TiffNamedJpg", {}, "file-name-misleads:1"));
  cases.back().file_name = "a.jpg";
  cases.push_back(tiff("TiffNamedInFull", {}));
  cases.back().file_name = "a.TIFF";
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const std::string rules = orientation == 1 ? "" : "file-turned:1";
    cases.push_back(tiff("TiffOrientation" + std::to_string(orientation), {.orientation = orientation}, rules));
    cases.back().upright = apply_orientation(cases.back().upright, orientation);
  }
  cases.push_back(tiff("TiffBigOrientation6", {.orientation = 6, .byte_order = "b8"}, "file-turned:1"));
  cases.back().upright = apply_orientation(cases.back().upright, 6);
  // The directory stands behind more pixels than a header is long.
  cases.push_back(tiff("TiffDirectoryFarBehind", {.width = 400, .height = 300, .orientation = 6}, "file-turned:1"));
  cases.back().upright = apply_orientation(cases.back().upright, 6);
  return cases;
}

// The smooth picture as samples of red, green and blue.
int ramp_sample(const Image& ramp, int x, int y, int c) { return ramp.row(y)[3 * x + 2 - c]; }

std::vector<OddImage> jpeg_and_ycbcr_cases() {
  const Image ramp = ramp_image(40, 24), flat = grey_ramp_image(40, 24);
  const auto jpeg = [&](int photometric, int samples, int tile = 0) {
    const TiffKind kind = {.width = 40,
                           .height = 24,
                           .photometric = photometric,
                           .samples = samples,
                           .compression = COMPRESSION_JPEG,
                           .tile = tile,
                           .rows_per_strip = 16};
    const Image& image = samples == 1 ? flat : ramp;
    return make_tiff(kind, [&](int x, int y, int c) {
      return ramp_sample(image, std::min(x, image.width - 1), std::min(y, image.height - 1), c);
    });
  };
  std::vector<OddImage> cases = {
      read("TiffJpegGrey", jpeg(PHOTOMETRIC_MINISBLACK, 1), flat, "file-grey:1", kJpegTolerance),
      read("TiffJpegRgb", jpeg(PHOTOMETRIC_RGB, 3), ramp, "", kJpegTolerance),
      read("TiffJpegYcbcr", jpeg(PHOTOMETRIC_YCBCR, 3), ramp, "", kCoarseTolerance),
      read("TiffJpegYcbcrTiles", jpeg(PHOTOMETRIC_YCBCR, 3, 32), ramp, "", kCoarseTolerance),
  };
  // YCbCr without compression: grey, with the colour samples in the middle; then a flat colour at half the resolution.
  TiffKind kind = {.width = 40, .height = 24, .photometric = PHOTOMETRIC_YCBCR};
  const auto neutral = [&](int x, int y, int c) { return c == 0 ? ramp_sample(flat, x, y, 0) : 128; };
  Bytes full, half;
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 40; ++x) {
      for (int c = 0; c < 3; ++c) full.push_back(static_cast<std::uint8_t>(neutral(x, y, c)));
    }
  }
  for (int i = 0; i < 20 * 12; ++i) half.insert(half.end(), {100, 100, 100, 100, 90, 200});
  Image red(40, 24);  // y + 1.402 (cr - 128), y - 0.344 (cb - 128) - 0.714 (cr - 128), y + 1.772 (cb - 128)
  for (std::size_t i = 0; i < red.bgr.size(); i += 3) red.bgr[i] = 33, red.bgr[i + 1] = 62, red.bgr[i + 2] = 201;
  cases.push_back(read("TiffYcbcrHalf", make_tiff_of_strip(kind, half), red, "", 1));
  kind.orientation = 6;
  cases.push_back(
      read("TiffYcbcrHalfTurned", make_tiff_of_strip(kind, half), apply_orientation(red, 6), "file-turned:1", 1));
  return cases;
}

}  // namespace

std::vector<OddImage> odd_tiffs() {
  std::vector<OddImage> cases = colour_cases();
  for (const auto& part : {layout_cases(), jpeg_and_ycbcr_cases()}) cases.insert(cases.end(), part.begin(), part.end());
  return cases;
}

std::vector<OddImage> odd_tiff_damages() {
  const auto make = [](const TiffKind& kind) {
    return make_tiff(kind, [bits = kind.bits](int x, int y, int c) { return sample_of(x, y, c, bits); });
  };
  const Bytes good = make({}), lzw = make(packed(COMPRESSION_LZW)), deflate = make(packed(COMPRESSION_ADOBE_DEFLATE));
  const Bytes jpeg = make({.compression = COMPRESSION_JPEG, .rows_per_strip = 16}), tiles = make({.tile = 16}),
              inks = make(cmyk(8));
  TiffKind fax_kind = grey(1, PHOTOMETRIC_MINISWHITE);
  fax_kind.compression = COMPRESSION_CCITTFAX4;
  const Bytes fax = make(fax_kind);
  const auto spoiled = [](Bytes bytes, std::size_t from, std::size_t count, std::uint8_t value = 0xFF) {
    const auto start = bytes.begin() + static_cast<std::ptrdiff_t>(from);
    std::fill(start, start + static_cast<std::ptrdiff_t>(count), value);
    return bytes;
  };
  const auto with = [](const Bytes& bytes, int tag, std::uint32_t value) { return with_tiff_value(bytes, tag, value); };
  const std::size_t strip = 8;  // libtiff writes the first one behind the header
  return {
      damaged("TiffCutInHeader", first_bytes(good, 6), "Cannot read TIFF header"),
      damaged("TiffCutBeforeDirectory", first_bytes(good, 600), "Can not read TIFF directory"),
      damaged("TiffCutInDirectory", first_bytes(good, good.size() - 40), "Can not read TIFF directory"),
      damaged("TiffNoDirectory", Bytes{'I', 'I', '*', 0, 0, 0, 0, 0}, "cannot decode"),
      damaged("TiffDirectoryEmpty", Bytes{'I', 'I', '*', 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "cannot decode"),
      damaged("TiffStripOutside", with(good, TIFFTAG_STRIPOFFSETS, 1 << 30), "Read error on strip"),
      damaged("TiffStripTooShort", with(good, TIFFTAG_STRIPBYTECOUNTS, 20), "cannot decode"),
      damaged("TiffStripEmpty", with(good, TIFFTAG_STRIPBYTECOUNTS, 0), "cannot decode"),
      damaged("TiffTileOutside", with(tiles, TIFFTAG_TILEOFFSETS, 1 << 30), "cannot decode"),
      damaged("TiffLzwDamaged", spoiled(lzw, strip + 2, 60), "cannot decode"),
      damaged("TiffDeflateDamaged", spoiled(deflate, strip + 20, 60), "cannot decode"),
      damaged("TiffJpegDamaged", spoiled(jpeg, first_strip_of(jpeg) + 40, 40), "cannot decode"),
      refused("TiffFaxDamaged", "a.tif", spoiled(fax, strip, 10, 0), "file-undecodable:1 file-grey:1", "cannot decode"),
      damaged("TiffZeroWidth", with(good, TIFFTAG_IMAGEWIDTH, 0), "cannot decode"),
      damaged("TiffZeroRowsPerStrip", with(good, TIFFTAG_ROWSPERSTRIP, 0), "cannot decode"),
      damaged("TiffEnormous", with(with(good, TIFFTAG_IMAGEWIDTH, 65535), TIFFTAG_IMAGELENGTH, 65535),
              "65535 x 65535 pixels are more than the limit of 268 million pixels"),
      damaged("TiffLongestSides", with_tiff_long(good, TIFFTAG_IMAGEWIDTH, 0xFFFFFFFF),
              "its sides are longer than any memory"),
      damaged("TiffTilesEnormous", with(with(tiles, TIFFTAG_TILEWIDTH, 65520), TIFFTAG_TILELENGTH, 65520),
              "cannot decode"),
      damaged("TiffWithoutColours", with_tiff_tag(good, TIFFTAG_PHOTOMETRIC, 60000),
              "it does not say what its samples mean"),
      damaged("TiffTooFewSamples", with(good, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_SEPARATED),
              "a pixel has 3 samples, and its colours need 4"),
      damaged("TiffWithoutPalette", with(make(grey(8)), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE), "it has no palette"),
      damaged("TiffWithoutSmallPalette", with(make(grey(4)), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE), "Colormap"),
      unsupported("TiffFloat", make({.bits = 32}), "its samples are unsigned integers of 32 bits"),
      unsupported("TiffTwelveBits", with(make(grey(16)), TIFFTAG_BITSPERSAMPLE, 12), "integers of 12 bits"),
      unsupported("TiffLab", with(good, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_CIELAB), "its colours are of TIFF's kind 8"),
      unsupported("TiffRawCamera", with(make(grey(8)), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_CFA), "of TIFF's kind 32803"),
      unsupported("TiffThumbnailFirst", make({.page = FILETYPE_REDUCEDIMAGE}), "its first page is the thumbnail"),
      unsupported("TiffOldJpeg", with(good, TIFFTAG_COMPRESSION, COMPRESSION_OJPEG), "old-style JPEG"),
      unsupported("TiffUnknownCompression", with(good, TIFFTAG_COMPRESSION, 12345), "TIFF's compression 12345"),
      unsupported("TiffOtherInks",
                  make({.photometric = PHOTOMETRIC_SEPARATED, .samples = 4, .ink_set = INKSET_MULTIINK}),
                  "its inks are others"),
  };
}

}  // namespace lockstep
