// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/tiff_entries.h"

#include <cstring>
#include <iterator>
#include <string_view>

namespace lockstep {
namespace {

using std::string_view_literals::operator""sv;

struct Structure {
  std::span<const std::uint8_t> bytes;
  bool big_endian = false;
  std::size_t word = 4;  // bytes of an offset or count: 8 in BigTIFF

  // An unsigned integer of `width` bytes at `at`; nothing when it leaves the bytes.
  std::optional<std::uint64_t> read(std::uint64_t at, std::size_t width) const {
    if (at > bytes.size() || bytes.size() - at < width) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      value |= std::uint64_t{bytes[static_cast<std::size_t>(at) + i]} << (8 * (big_endian ? width - 1 - i : i));
    }
    return value;
  }
};

std::optional<Structure> open_structure(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool big_endian = text.starts_with("MM");
  if (text.starts_with("II*\0"sv) || text.starts_with("MM\0*"sv)) return Structure{bytes, big_endian, 4};
  if (text.starts_with("II+\0"sv) || text.starts_with("MM\0+"sv)) return Structure{bytes, big_endian, 8};
  return std::nullopt;
}

// An entry: tag, type, number of values, then the values or where they stand when they are longer than an offset.
std::optional<std::uint32_t> first_value(const Structure& tiff, std::uint64_t entry) {
  constexpr std::size_t kWidths[] = {0, 1, 0, 2, 4};  // by type: BYTE, ASCII, SHORT, LONG
  const std::uint64_t type = tiff.read(entry + 2, 2).value_or(0);
  const std::size_t width = type < std::size(kWidths) ? kWidths[type] : 0;
  const std::optional<std::uint64_t> count = tiff.read(entry + 4, tiff.word);
  if (width == 0 || !count || *count == 0) return std::nullopt;
  const std::uint64_t slot = entry + 4 + tiff.word;
  const std::optional<std::uint64_t> place = *count <= tiff.word / width ? slot : tiff.read(slot, tiff.word);
  const std::optional<std::uint64_t> value = place ? tiff.read(*place, width) : std::nullopt;
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

}  // namespace

std::optional<std::uint32_t> read_tiff_value(std::span<const std::uint8_t> bytes, TiffTag tag) {
  const std::optional<Structure> tiff = open_structure(bytes);
  if (!tiff) return std::nullopt;
  const bool classic = tiff->word == 4;
  const std::size_t count_width = classic ? 2 : 8;
  const std::size_t entry_bytes = 4 + 2 * tiff->word;
  const std::optional<std::uint64_t> directory = tiff->read(classic ? 4 : 8, tiff->word);
  const std::uint64_t entries = directory ? tiff->read(*directory, count_width).value_or(0) : 0;
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = *directory + count_width + i * entry_bytes;
    const std::optional<std::uint64_t> found = tiff->read(entry, 2);
    if (!found) return std::nullopt;
    if (*found == static_cast<std::uint64_t>(tag)) return first_value(*tiff, entry);
  }
  return std::nullopt;
}

}  // namespace lockstep
