// SPDX-License-Identifier: Apache-2.0
#include "data/tiff_maker.h"

#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace lockstep {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A file in memory for libtiff.
struct Memory {
  Bytes bytes;
  std::size_t at = 0;

  static Memory& of(thandle_t handle) { return *static_cast<Memory*>(handle); }
  static tmsize_t read(thandle_t handle, void* to, tmsize_t size) {
    Memory& memory = of(handle);
    const std::size_t count = std::min(static_cast<std::size_t>(size), memory.bytes.size() - memory.at);
    if (count > 0) std::memcpy(to, memory.bytes.data() + memory.at, count);
    memory.at += count;
    return static_cast<tmsize_t>(count);
  }
  static tmsize_t write(thandle_t handle, void* from, tmsize_t size) {
    Memory& memory = of(handle);
    const auto count = static_cast<std::size_t>(size);
    memory.bytes.resize(std::max(memory.bytes.size(), memory.at + count));
    std::memcpy(memory.bytes.data() + memory.at, from, count);
    memory.at += count;
    return size;
  }
  static toff_t seek(thandle_t handle, toff_t to, int whence) {
    Memory& memory = of(handle);
    const std::size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.at : memory.bytes.size();
    return memory.at = base + static_cast<std::size_t>(to);
  }
  static int close(thandle_t /*handle*/) { return 0; }
  static toff_t size(thandle_t handle) { return of(handle).bytes.size(); }
};

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("libtiff cannot ") + what);
}

// The samples of `planes` planes of a part of the picture, packed row by row; outside stands what is at the
// edge.
struct Part {
  int x, y, width, height;
  int first_sample, samples;
};

Bytes pack(const TiffKind& kind, const Part& part, const TiffSample& sample) {
  Bytes bytes;
  for (int y = part.y; y < part.y + part.height; ++y) {
    int held = 0, bits = 0;
    for (int x = part.x; x < part.x + part.width; ++x) {
      for (int c = part.first_sample; c < part.first_sample + part.samples; ++c) {
        const int value = sample(std::min(x, kind.width - 1), std::min(y, kind.height - 1), c);
        if (kind.bits == 16) {  // in the byte order of this machine
          const auto word = static_cast<std::uint16_t>(value);
          const auto* first = reinterpret_cast<const std::uint8_t*>(&word);
          bytes.insert(bytes.end(), first, first + 2);
          continue;
        }
        held = held << kind.bits | value;
        for (bits += kind.bits; bits >= 8; bits -= 8) bytes.push_back(static_cast<std::uint8_t>(held >> (bits - 8)));
        held &= 0xFF;
      }
    }
    if (bits > 0) bytes.push_back(static_cast<std::uint8_t>(held << (8 - bits)));
  }
  return bytes;
}

void set_fields(TIFF* tiff, const TiffKind& kind) {
  const auto set = [&](std::uint32_t tag, auto value) { require(TIFFSetField(tiff, tag, value) != 0, "set a field"); };
  set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(kind.width));
  set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(kind.height));
  set(TIFFTAG_BITSPERSAMPLE, kind.bits);
  set(TIFFTAG_SAMPLESPERPIXEL, kind.samples);
  set(TIFFTAG_COMPRESSION, kind.compression);
  set(TIFFTAG_PHOTOMETRIC, kind.photometric);
  set(TIFFTAG_PLANARCONFIG, kind.planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  if (kind.tile > 0) {
    set(TIFFTAG_TILEWIDTH, static_cast<std::uint32_t>(kind.tile));
    set(TIFFTAG_TILELENGTH, static_cast<std::uint32_t>(kind.tile));
  } else {
    set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(kind.rows_per_strip > 0 ? kind.rows_per_strip : kind.height));
  }
  if (!kind.extras.empty()) {
    require(TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<int>(kind.extras.size()), kind.extras.data()) != 0,
            "set extra samples");
  }
  if (!kind.palette.empty()) {
    const std::size_t size = kind.palette.size() / 3;
    const std::uint16_t* maps = kind.palette.data();
    require(TIFFSetField(tiff, TIFFTAG_COLORMAP, maps, maps + size, maps + 2 * size) != 0, "set the palette");
  }
  if (kind.predictor != PREDICTOR_NONE) set(TIFFTAG_PREDICTOR, kind.predictor);
  if (kind.orientation != 0) set(TIFFTAG_ORIENTATION, kind.orientation);
  if (kind.fill_order != FILLORDER_MSB2LSB) set(TIFFTAG_FILLORDER, kind.fill_order);
  if (kind.page != 0) set(TIFFTAG_SUBFILETYPE, static_cast<std::uint32_t>(kind.page));
  if (kind.ink_set != 0) set(TIFFTAG_INKSET, kind.ink_set);
  if (kind.compression == COMPRESSION_JPEG) {
    set(TIFFTAG_JPEGQUALITY, 95);
    if (kind.photometric == PHOTOMETRIC_YCBCR) set(TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
}

using Writer = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

// Warnings (old codes, odd values) are what the maker is for.
int pass_over(TIFF* /*tiff*/, void* /*data*/, const char* /*module*/, const char* /*format*/, std::va_list /*values*/) {
  return 1;
}

Writer open_writer(Memory& memory, const std::string& byte_order) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), &pass_over, nullptr);
  Writer tiff(TIFFClientOpenExt("made", ("w" + byte_order).c_str(), &memory, &Memory::read, &Memory::write,
                                &Memory::seek, &Memory::close, &Memory::size, nullptr, nullptr, options.get()),
              &TIFFClose);
  require(tiff != nullptr, "start");
  return tiff;
}

void write_parts(TIFF* tiff, const TiffKind& kind, const TiffSample& sample) {
  const int width = kind.tile > 0 ? kind.tile : kind.width;
  const int height = kind.tile > 0 ? kind.tile : kind.rows_per_strip > 0 ? kind.rows_per_strip : kind.height;
  std::uint32_t index = 0;
  for (int plane = 0; plane < (kind.planar ? kind.samples : 1); ++plane) {
    for (int y = 0; y < kind.height; y += height) {
      for (int x = 0; x < kind.width; x += width, ++index) {
        const int rows = kind.tile > 0 ? height : std::min(height, kind.height - y);
        Bytes part = pack(kind, {x, y, width, rows, plane, kind.planar ? 1 : kind.samples}, sample);
        const auto size = static_cast<tmsize_t>(part.size());
        const tmsize_t written = kind.tile > 0 ? TIFFWriteEncodedTile(tiff, index, part.data(), size)
                                               : TIFFWriteEncodedStrip(tiff, index, part.data(), size);
        require(written == size, "write a part");
      }
    }
  }
}

std::uint32_t number(const Bytes& bytes, std::size_t at, int width) {
  std::uint32_t value = 0;
  for (int i = width - 1; i >= 0; --i) value = value << 8 | bytes.at(at + static_cast<std::size_t>(i));
  return value;
}

void put(Bytes& bytes, std::size_t at, std::uint32_t value, int width) {
  for (int i = 0; i < width; ++i)
    bytes.at(at + static_cast<std::size_t>(i)) = static_cast<std::uint8_t>(value >> (8 * i));
}

// Where the entry of the first directory stands.
std::size_t find_entry(const Bytes& tiff, int tag) {
  const std::size_t directory = number(tiff, 4, 4);
  const std::uint32_t entries = number(tiff, directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * 12;
    if (number(tiff, entry, 2) == static_cast<std::uint32_t>(tag)) return entry;
  }
  throw std::runtime_error("the TIFF file has no such entry");
}

// Where the values of an entry stand.
std::size_t find_values(const Bytes& tiff, std::size_t entry, int& width) {
  width = number(tiff, entry + 2, 2) == TIFF_SHORT ? 2 : 4;
  const bool inside = number(tiff, entry + 4, 4) * static_cast<std::uint32_t>(width) <= 4;
  return inside ? entry + 8 : number(tiff, entry + 8, 4);
}

}  // namespace

std::vector<std::uint8_t> make_tiff(const TiffKind& kind, const TiffSample& sample) {
  Memory memory;
  Writer tiff = open_writer(memory, kind.byte_order);
  set_fields(tiff.get(), kind);
  write_parts(tiff.get(), kind, sample);
  if (kind.second_page) {
    require(TIFFWriteDirectory(tiff.get()) != 0, "write a page");
    const TiffKind dot = {.width = 1, .height = 1};
    set_fields(tiff.get(), dot);
    write_parts(tiff.get(), dot, [](int, int, int) { return 0; });
  }
  tiff.reset();
  return memory.bytes;
}

std::vector<std::uint8_t> make_tiff_of_strip(TiffKind kind, const std::vector<std::uint8_t>& strip) {
  Memory memory;
  Writer tiff = open_writer(memory, kind.byte_order);
  kind.rows_per_strip = 0;
  set_fields(tiff.get(), kind);
  Bytes bytes = strip;
  require(TIFFWriteRawStrip(tiff.get(), 0, bytes.data(), static_cast<tmsize_t>(bytes.size())) ==
              static_cast<tmsize_t>(bytes.size()),
          "write a strip");
  tiff.reset();
  return memory.bytes;
}

std::vector<std::uint8_t> with_tiff_value(std::vector<std::uint8_t> tiff, int tag, std::uint32_t value) {
  int width = 0;
  const std::size_t at = find_values(tiff, find_entry(tiff, tag), width);
  put(tiff, at, value, width);
  return tiff;
}

std::vector<std::uint8_t> with_tiff_tag(std::vector<std::uint8_t> tiff, int tag, int new_tag) {
  const std::size_t entry = find_entry(tiff, tag);
  put(tiff, entry, static_cast<std::uint32_t>(new_tag), 2);
  return tiff;
}

std::vector<std::uint8_t> with_tiff_long(std::vector<std::uint8_t> tiff, int tag, std::uint32_t value) {
  const std::size_t entry = find_entry(tiff, tag);
  put(tiff, entry + 2, TIFF_LONG, 2);
  put(tiff, entry + 8, value, 4);
  return tiff;
}

std::size_t first_strip_of(const std::vector<std::uint8_t>& tiff) {
  int width = 0;
  const std::size_t at = find_values(tiff, find_entry(tiff, TIFFTAG_STRIPOFFSETS), width);
  return number(tiff, at, width);
}

}  // namespace lockstep
