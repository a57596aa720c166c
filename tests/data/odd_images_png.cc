// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "data/exif_test_util.h"
#include "data/odd_image_cases.h"
#include "data/png_maker.h"
#include "lockstep/data/exif.h"

namespace lockstep {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int kGrey = 0, kColour = 2, kPalette = 3, kGreyAlpha = 4, kColourAlpha = 6;

// Values of all sizes, another in each channel.
int sample_of(int x, int y, int c, int bit_depth) {
  const int mixed = (x * 2749 + y * 7919 + c * 15013 + 40) & 0xFFFF;
  return mixed >> (16 - bit_depth);
}

// What the picture of sample_of is in 8 bits: v * 255 / (2^n - 1), rounded.
Image expected_of(const PngKind& kind) {
  Image image(static_cast<int>(kind.width), static_cast<int>(kind.height));
  const int top = (1 << kind.bit_depth) - 1;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const bool colour = kind.color_type == kColour || kind.color_type == kColourAlpha;
        const int value = sample_of(x, y, colour ? c : 0, kind.bit_depth);
        image.row(y)[3 * x + 2 - c] = kind.color_type == kPalette
                                          ? kind.palette[static_cast<std::size_t>(3 * value + c)]
                                          : static_cast<std::uint8_t>((value * 510 + top) / (2 * top));
      }
    }
  }
  return image;
}

Bytes file_of(const PngKind& kind) {
  return make_png(kind, [&](int x, int y, int c) { return sample_of(x, y, c, kind.bit_depth); });
}

Bytes palette_of(int bit_depth) {
  Bytes palette;
  for (int i = 0; i < 3 << bit_depth; ++i) palette.push_back(static_cast<std::uint8_t>(i * 89 + 11));
  return palette;
}

OddImage png(std::string name, PngKind kind, std::string rules = "") {
  if (kind.width == 1 && kind.height == 1) kind.width = 23, kind.height = 19;
  if (kind.color_type == kPalette) kind.palette = palette_of(kind.bit_depth);
  return {std::move(name), "a.png", file_of(kind), std::move(rules), expected_of(kind), 0};
}

OddImage damaged(std::string name, Bytes bytes, std::string error) {
  return refused(std::move(name), "a.png", std::move(bytes), "file-undecodable:1", std::move(error));
}

Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t value) {
  bytes.at(at) = value;
  return bytes;
}

std::size_t find_name(const Bytes& png, const std::string& name) {
  return static_cast<std::size_t>(std::search(png.begin(), png.end(), name.begin(), name.end()) - png.begin());
}

// The header of the file alone says another size; its check sum is right.
Bytes with_size(const Bytes& png, std::uint32_t width, std::uint32_t height) {
  Bytes header;
  for (const std::uint32_t side : {width, height}) {
    for (int shift = 24; shift >= 0; shift -= 8) header.push_back(static_cast<std::uint8_t>(side >> shift));
  }
  header.insert(header.end(), png.begin() + 24, png.begin() + 29);
  Bytes file = first_bytes(png, 8);
  const Bytes chunk = png_chunk("IHDR", header);
  file.insert(file.end(), chunk.begin(), chunk.end());
  file.insert(file.end(), png.begin() + 33, png.end());
  return file;
}

}  // namespace

std::vector<OddImage> odd_pngs() {
  std::vector<OddImage> cases;
  for (const int bits : {1, 2, 4, 8, 16}) {
    const std::string rules = bits == 16 ? "file-grey:1 file-sixteen-bit:1" : "file-grey:1";
    cases.push_back(png("PngGrey" + std::to_string(bits), {.bit_depth = bits, .color_type = kGrey}, rules));
    cases.push_back(png("PngGrey" + std::to_string(bits) + "Interlaced",
                        {.bit_depth = bits, .color_type = kGrey, .interlaced = true}, rules));
  }
  for (const int bits : {1, 2, 4, 8}) {
    cases.push_back(png("PngPalette" + std::to_string(bits), {.bit_depth = bits, .color_type = kPalette}));
    cases.push_back(png("PngPalette" + std::to_string(bits) + "Transparent",
                        {.bit_depth = bits, .color_type = kPalette, .transparency = {0, 128}}, "file-alpha:1"));
  }
  for (const bool interlaced : {false, true}) {
    const std::string end = interlaced ? "Interlaced" : "";
    cases.push_back(png("PngColour8" + end, {.bit_depth = 8, .color_type = kColour, .interlaced = interlaced}));
    cases.push_back(png("PngColour16" + end, {.bit_depth = 16, .color_type = kColour, .interlaced = interlaced},
                        "file-sixteen-bit:1"));
    cases.push_back(png("PngGreyAlpha8" + end, {.bit_depth = 8, .color_type = kGreyAlpha, .interlaced = interlaced},
                        "file-grey:1 file-alpha:1"));
    cases.push_back(png("PngGreyAlpha16" + end, {.bit_depth = 16, .color_type = kGreyAlpha, .interlaced = interlaced},
                        "file-grey:1 file-alpha:1 file-sixteen-bit:1"));
    cases.push_back(png("PngColourAlpha8" + end, {.bit_depth = 8, .color_type = kColourAlpha, .interlaced = interlaced},
                        "file-alpha:1"));
    cases.push_back(png("PngColourAlpha16" + end,
                        {.bit_depth = 16, .color_type = kColourAlpha, .interlaced = interlaced},
                        "file-alpha:1 file-sixteen-bit:1"));
    cases.push_back(png("PngColourKey" + end,
                        {.color_type = kColour, .interlaced = interlaced, .transparency = {0, 1, 0, 2, 0, 3}},
                        "file-alpha:1"));
    cases.push_back(png("PngGreyKey" + end, {.color_type = kGrey, .interlaced = interlaced, .transparency = {0, 7}},
                        "file-grey:1 file-alpha:1"));
    cases.push_back(
        png("PngOneRow" + end, {.width = 40, .height = 1, .interlaced = interlaced}, "file-extreme-shape:1"));
    cases.push_back(
        png("PngTwoColumns" + end, {.width = 2, .height = 40, .interlaced = interlaced}, "file-extreme-shape:1"));
    cases.push_back(png("PngFivePixels" + end, {.width = 5, .height = 5, .interlaced = interlaced}));
  }
  cases.push_back(png("PngManyPieces", {.pieces = 9}));
  return cases;
}

std::vector<OddImage> odd_png_damages() {
  const PngKind kind = {.width = 23, .height = 19};
  const Bytes good = file_of(kind);
  const Image image = expected_of(kind);
  const std::size_t pixels = find_name(good, "IDAT"), end = find_name(good, "IEND");
  const auto with_chunk = [&](Bytes chunk) {
    PngKind longer = kind;
    longer.more_chunks = std::move(chunk);
    return file_of(longer);
  };
  const Bytes text = png_chunk("tEXt", bytes_of(std::string("a\0b", 3)));
  PngKind without_palette = kind;
  without_palette.color_type = kPalette;
  PngKind small_palette = without_palette;
  small_palette.palette = {1, 2, 3};
  PngKind short_of_rows = kind;
  short_of_rows.missing_rows = 4;
  PngKind in_pieces = kind;
  in_pieces.pieces = 3;
  const Bytes pieces = file_of(in_pieces);
  const std::size_t second =
      pixels + 1 + find_name({pieces.begin() + static_cast<std::ptrdiff_t>(pixels) + 1, pieces.end()}, "IDAT");
  const std::size_t first_sum = second - 5;
  Bytes garbage = good;
  garbage.insert(garbage.end(), 1000, 0xAB);
  const auto read = [&](std::string name, Bytes bytes, std::string rules = "", std::string file_name = "a.png") {
    return OddImage{std::move(name), std::move(file_name), std::move(bytes), std::move(rules), image, 0};
  };
  std::vector<OddImage> cases = {
      damaged("PngCutInHeader", first_bytes(good, 20), "cannot decode"),
      damaged("PngCutBehindHeader", first_bytes(good, 33), "cannot decode"),
      damaged("PngCutInPixels", first_bytes(good, (pixels + end) / 2), "cannot decode"),
      damaged(
          "PngWithoutPixels",
          [&] {
            Bytes bytes = first_bytes(good, 33);
            bytes.insert(bytes.end(), good.begin() + static_cast<std::ptrdiff_t>(end) - 4, good.end());
            return bytes;
          }(),
          "cannot decode"),
      damaged("PngRowsMissing", file_of(short_of_rows), "cannot decode"),
      damaged("PngBadCheckSumOfHeader", with_byte(good, 30, 0), "cannot decode"),
      damaged("PngBadCheckSumOfPixels", with_byte(pieces, first_sum, static_cast<std::uint8_t>(pieces[first_sum] ^ 1)),
              "cannot decode"),
      damaged("PngBadPixels", with_byte(good, pixels + 30, static_cast<std::uint8_t>(good[pixels + 30] ^ 1)),
              "cannot decode"),
      damaged("PngThreeBits", with_byte(good, 24, 3), "cannot decode"),
      damaged("PngWithoutPalette", file_of(without_palette), "cannot decode"),
      damaged("PngZeroWidth", with_size(good, 0, 19), "cannot decode"),
      damaged("PngEnormous", with_size(good, 100000, 100000),
              "100000 x 100000 pixels are more than the limit of 268 million pixels"),
      damaged("PngLongestSides", with_size(good, 0x7FFFFFFF, 0x7FFFFFFF), "its sides are longer than any memory holds"),
      damaged("PngOneRowTooLong", with_size(good, 0x7FFFFFFF, 1), "its sides are longer than any memory holds"),
      damaged("PngUnknownCriticalChunk", with_chunk(png_chunk("CgBI", {1, 2, 3, 4})), "cannot decode"),
      // The pixels are complete and have a check sum of their own.
      read("PngBadCheckSumOfLastPiece", with_byte(good, end - 5, static_cast<std::uint8_t>(good[end - 5] ^ 1))),
      read("PngTrailingGarbage", garbage),
      read("PngWithoutEnd", first_bytes(good, end - 4)),
      read("PngText", with_chunk(text)),
      read("PngBadCheckSumOfText", with_chunk(with_byte(text, text.size() - 1, 0))),
      read("PngNamedJpg", good, "file-name-misleads:1", "a.jpg"),
      read("PngNamedInCapitals", good, "", "a.PNG"),
      read("PngWithoutExtension", good, "file-name-misleads:1", "a"),
  };
  for (const int orientation : {2, 6}) {
    cases.push_back(read("PngExif" + std::to_string(orientation),
                         with_chunk(png_chunk("eXIf", tiff_with_orientation(orientation, true))), "file-turned:1"));
    cases.back().upright = apply_orientation(image, orientation);
  }
  cases.push_back(read("PngExifCut", with_chunk(png_chunk("eXIf", {'M', 'M'}))));
  return cases;
}

std::vector<OddImage> odd_other_files() {
  const PngKind kind = {.width = 23, .height = 19};
  const Bytes good = file_of(kind);
  const auto named = [&](std::string name, std::string file_name) {
    return OddImage{std::move(name), std::move(file_name), good, "", expected_of(kind), 0};
  };
  const auto other = [](std::string name, const std::string& magic, const std::string& format) {
    return refused(std::move(name), "a.jpg", bytes_of(magic + std::string(40, ' ')), "file-unsupported:1",
                   "it is a " + format + " file; convert it to", ErrorKind::kUnsupported);
  };
  const auto none = [](std::string name, const std::string& text, std::string error) {
    return refused(std::move(name), "a.jpg", bytes_of(text), "file-undecodable:1", std::move(error));
  };
  const std::string nul(1, '\0');
  return {
      named("NameWithSpaces", "two  words (1) .png"),
      named("NameInChinese", "\xE5\x9B\xBE\xE7\x89\x87.png"),
      named("NameComposed", "\xC3\xA9.png"),
      named("NameDecomposed", "e\xCC\x81.png"),
      named("NameNotUtf8", "\xE9\xFF.png"),
      named("NameWithPercent", "100%25 {0} %s.png"),
      named("NameWithDash", "-rf.png"),
      named("NameWithNewline", "a\nb.png"),
      other("Gif", "GIF89a", "GIF"),
      other("Bmp", "BM", "BMP"),
      other("Avif", nul + nul + nul + " ftypavif", "AVIF"),
      other("Heic", nul + nul + nul + " ftypheic", "HEIC"),
      other("Jpeg2000", nul + nul + nul + "\x0CjP  ", "JPEG 2000"),
      other("JpegXl", "\xFF\x0A", "JPEG XL"),
      other("Photoshop", "8BPS", "Photoshop"),
      other("Netpbm", "P6\n2 2 255\n", "Netpbm"),
      other("Svg", "\xEF\xBB\xBF\n<SVG xmlns=", "SVG"),
      other("SvgBehindXml", "<?xml version=\"1.0\"?>\n<svg>", "SVG"),
      none("Empty", "", "0 bytes"),
      none("OneByte", "\xFF", "1 bytes that start with the signature of no known picture format"),
      none("Text", "hello", "5 bytes that start with"),
      none("Zeros", std::string(5000, '\0'), "5000 bytes that are all zero; the file was never written"),
      none("WebPage", "\n<!DOCTYPE html><html>404</html>", "it is a web page"),
      none("WebPageWithoutType", "<html>", "it is a web page"),
      none("LfsPointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0", "fetch the picture with 'git lfs"),
      none("Riff", "RIFF1234WAVEfmt ", "16 bytes that start with"),
  };
}

}  // namespace lockstep
