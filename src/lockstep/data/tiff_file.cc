// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/tiff_file.h"

#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "lockstep/base/check.h"
#include "lockstep/data/tiff_entries.h"

namespace lockstep {
namespace {

// libtiff takes more than this in one piece for absurd directories only, or for one strip of a picture that is larger
// than most.
constexpr tmsize_t kMaxPiece = tmsize_t{1} << 28;

// Warnings after which pixels are missing or made up: those of libjpeg (libtiff passes on the first one of a strip), of
// JPEG strips of another size, and of the fax codes. Others leave the picture whole.
bool is_damage(std::string_view module, std::string_view text) {
  return module.starts_with("JPEGLib") || text.starts_with("Improper JPEG") || module.starts_with("Fax3Decode") ||
         module.starts_with("Fax4Decode");
}

TiffColour colour_of(int photometric, const std::string& path) {
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE: return TiffColour::kMinIsWhite;
    case PHOTOMETRIC_MINISBLACK: return TiffColour::kMinIsBlack;
    case PHOTOMETRIC_RGB: return TiffColour::kRgb;
    case PHOTOMETRIC_PALETTE: return TiffColour::kPalette;
    case PHOTOMETRIC_SEPARATED: return TiffColour::kCmyk;
    case PHOTOMETRIC_YCBCR: return TiffColour::kYcbcr;
    default: break;
  }
  LS_THROW(kUnsupported,
           "cannot decode {}: its colours are of TIFF's kind {}, and grey, RGB, palettes, CMYK and YCbCr are read; "
           "convert it to RGB",
           path, photometric);
}

int colours_of(TiffColour colour) {
  switch (colour) {
    case TiffColour::kMinIsWhite:
    case TiffColour::kMinIsBlack:
    case TiffColour::kPalette: return 1;
    case TiffColour::kCmyk: return 4;
    default: return 3;
  }
}

bool reads_bits(TiffColour colour, int bits) {
  if (colour == TiffColour::kYcbcr) return bits == 8;
  if (colour == TiffColour::kPalette && bits == 16) return false;
  return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
}

}  // namespace

struct TiffFile::Calls {
  static Source& source(thandle_t handle) { return *static_cast<Source*>(handle); }

  static tmsize_t read(thandle_t handle, void* to, tmsize_t size) {
    Source& from = source(handle);
    const auto count =
        std::min(static_cast<std::size_t>(size), from.bytes.size() - std::min(from.at, from.bytes.size()));
    if (count > 0) std::memcpy(to, from.bytes.data() + from.at, count);
    from.at += count;
    return static_cast<tmsize_t>(count);
  }
  static tmsize_t write(thandle_t /*handle*/, void* /*from*/, tmsize_t /*size*/) { return 0; }
  static toff_t seek(thandle_t handle, toff_t to, int whence) {
    Source& from = source(handle);
    const std::size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? from.at : from.bytes.size();
    return from.at = base + static_cast<std::size_t>(to);
  }
  static int close(thandle_t /*handle*/) { return 0; }
  static toff_t size(thandle_t handle) { return source(handle).bytes.size(); }
  static int map(thandle_t handle, void** base, toff_t* size) {
    const std::span<const std::uint8_t> bytes = source(handle).bytes;
    *base = const_cast<std::uint8_t*>(bytes.data());  // libtiff copies what it changes
    *size = bytes.size();
    return bytes.empty() ? 0 : 1;
  }
  static void unmap(thandle_t /*handle*/, void* /*base*/, toff_t /*size*/) {}

  static void keep(void* handle, const char* format, std::va_list values) {
    std::string& message = source(handle).message;
    if (!message.empty()) return;
    char text[512];
    std::vsnprintf(text, sizeof(text), format, values);
    message = text;
  }
  static int error(TIFF* /*tiff*/, void* handle, const char* /*module*/, const char* format, std::va_list values) {
    keep(handle, format, values);
    return 1;
  }
  static int warning(TIFF* /*tiff*/, void* handle, const char* module, const char* format, std::va_list values) {
    if (is_damage(module != nullptr ? module : "", format)) keep(handle, format, values);
    return 1;
  }
};

void TiffFile::open() {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  LS_CHECK(kDevice, options != nullptr, "out of memory: libtiff could not start");
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMaxPiece);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), &Calls::error, &source_);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), &Calls::warning, &source_);
  tiff_.reset(TIFFClientOpenExt("TIFF", "r", &source_, &Calls::read, &Calls::write, &Calls::seek, &Calls::close,
                                &Calls::size, &Calls::map, &Calls::unmap, options.get()));
}

TiffFile::TiffFile(std::span<const std::uint8_t> bytes, const std::string& path) : path_(path), source_{bytes, 0, {}} {
  // Before libtiff, which looks into the data of this one when it reads the directory.
  LS_CHECK(kUnsupported, read_tiff_value(bytes, TiffTag::kCompression) != COMPRESSION_OJPEG,
           "cannot decode {}: its compression is TIFF's old-style JPEG, which was given up in 1995; convert it", path);
  open();
  require(tiff_ != nullptr);
  header_ = read_header();
}

void TiffFile::require(bool done) const {
  if (done && source_.message.empty()) return;
  LS_THROW(kData, "cannot decode {}: {}", path_,
           source_.message.empty() ? "its TIFF data are damaged" : source_.message);
}

std::uint16_t TiffFile::field(std::uint32_t tag) const {
  std::uint16_t value = 0;
  TIFFGetFieldDefaulted(tiff_.get(), tag, &value);
  return value;
}

TiffHeader TiffFile::read_header() const {
  TIFF* tiff = tiff_.get();
  std::uint32_t width = 0, height = 0, page = 0;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  LS_CHECK(kData, width <= INT_MAX && height <= INT_MAX, "cannot decode {}: its sides are longer than any memory holds",
           path_);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &page);
  LS_CHECK(kUnsupported, (page & FILETYPE_REDUCEDIMAGE) == 0,
           "cannot decode {}: its first page is the thumbnail of another, as in the raw files of cameras; export the "
           "picture",
           path_);
  std::uint16_t photometric = 0;
  LS_CHECK(kData, TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric) != 0,
           "cannot decode {}: it does not say what its samples mean (PhotometricInterpretation)", path_);
  // libtiff takes them for grey then.
  LS_CHECK(kData,
           photometric == PHOTOMETRIC_PALETTE ||
               read_tiff_value(source_.bytes, TiffTag::kPhotometric) != PHOTOMETRIC_PALETTE,
           "cannot decode {}: its samples are places in a palette, and it has no palette", path_);
  TiffHeader header;
  header.size = {static_cast<int>(width), static_cast<int>(height)};
  header.colour = colour_of(photometric, path_);
  header.colours = colours_of(header.colour);
  header.bits = field(TIFFTAG_BITSPERSAMPLE);
  header.samples = field(TIFFTAG_SAMPLESPERPIXEL);
  header.planar = field(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && header.samples > 1;
  const std::uint16_t compression = field(TIFFTAG_COMPRESSION);
  header.jpeg = compression == COMPRESSION_JPEG;
  LS_CHECK(kUnsupported, TIFFIsCODECConfigured(compression) != 0,
           "cannot decode {}: TIFF's compression {} is not read; store it with LZW or without compression", path_,
           compression);
  const int format = field(TIFFTAG_SAMPLEFORMAT);
  const bool unsigned_integers = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
  LS_CHECK(kUnsupported, unsigned_integers && reads_bits(header.colour, header.bits),
           "cannot decode {}: its samples are {} of {} bits, and unsigned integers of 1, 2, 4, 8 and 16 bits are read "
           "(palettes: up to 8, YCbCr: 8); convert them",
           path_,
           unsigned_integers               ? "unsigned integers"
           : format == SAMPLEFORMAT_INT    ? "signed integers"
           : format == SAMPLEFORMAT_IEEEFP ? "floating-point numbers"
                                           : "complex numbers",
           header.bits);
  LS_CHECK(kData, header.samples >= header.colours, "cannot decode {}: a pixel has {} samples, and its colours need {}",
           path_, header.samples, header.colours);
  LS_CHECK(kUnsupported, header.colour != TiffColour::kCmyk || field(TIFFTAG_INKSET) == INKSET_CMYK,
           "cannot decode {}: its inks are others than cyan, magenta, yellow and black; convert it to RGB", path_);
  std::uint16_t extras = 0;
  const std::uint16_t* kinds = nullptr;
  if (header.samples > header.colours && TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &extras, &kinds) != 0) {
    header.premultiplied = extras > 0 && kinds[0] == EXTRASAMPLE_ASSOCALPHA && header.colour != TiffColour::kPalette;
  }
  return header;
}

}  // namespace lockstep
