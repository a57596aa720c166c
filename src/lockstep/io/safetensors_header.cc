// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include <simdjson.h>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

namespace dom = simdjson::dom;

[[noreturn]] void bad_entry(const std::filesystem::path& path, std::string_view name, const std::string& problem) {
  LS_THROW(kData, "weights file '{}': tensor '{}': {}; the file is damaged or was written by a faulty program",
           path.string(), name, problem);
}

std::uint64_t byte_count(const std::filesystem::path& path, const SafetensorsEntry& entry) {
  std::uint64_t bytes = safetensors_element_bytes(entry.dtype);
  for (const std::int64_t size : entry.shape) {
    const auto axis = static_cast<std::uint64_t>(size);
    if (axis != 0 && bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / axis) {
      bad_entry(path, entry.name,
                fmt::format("shape {} has more elements than can be counted", to_string(entry.shape)));
    }
    bytes *= axis;
  }
  return bytes;
}

SafetensorsEntry parse_entry(const std::filesystem::path& path, std::string_view name, dom::element value) {
  SafetensorsEntry entry;
  entry.name = std::string(name);
  std::string_view dtype;
  if (value["dtype"].get_string().get(dtype) != simdjson::SUCCESS) bad_entry(path, name, "no text under 'dtype'");
  entry.dtype = std::string(dtype);
  if (safetensors_element_bytes(entry.dtype) == 0) {
    bad_entry(path, name, fmt::format("dtype is '{}', which the safetensors format does not have", dtype));
  }
  dom::array shape;
  if (value["shape"].get_array().get(shape) != simdjson::SUCCESS) bad_entry(path, name, "no list under 'shape'");
  for (const dom::element size : shape) {
    std::int64_t axis = 0;
    if (size.get_int64().get(axis) != simdjson::SUCCESS || axis < 0) {
      bad_entry(path, name, "'shape' holds something else than whole numbers from 0");
    }
    entry.shape.push_back(axis);
  }
  dom::array offsets;
  if (value["data_offsets"].get_array().get(offsets) != simdjson::SUCCESS || offsets.size() != 2 ||
      offsets.at(0).get_uint64().get(entry.begin) != simdjson::SUCCESS ||
      offsets.at(1).get_uint64().get(entry.end) != simdjson::SUCCESS) {
    bad_entry(path, name, "'data_offsets' is not a list of two whole numbers from 0");
  }
  const std::uint64_t wanted = byte_count(path, entry);
  if (entry.begin > entry.end || entry.end - entry.begin != wanted) {
    bad_entry(path, name,
              fmt::format("'data_offsets' is [{}, {}], but {} {} takes {} bytes", entry.begin, entry.end, entry.dtype,
                          to_string(entry.shape), wanted));
  }
  return entry;
}

void parse_metadata(const std::filesystem::path& path, dom::element value, SafetensorsHeader& header) {
  dom::object fields;
  LS_CHECK(kData, value.get_object().get(fields) == simdjson::SUCCESS,
           "weights file '{}': '__metadata__' is not an object", path.string());
  for (const auto field : fields) {
    std::string_view text;
    LS_CHECK(kData, field.value.get_string().get(text) == simdjson::SUCCESS,
             "weights file '{}': metadata '{}' is not a text; the format allows only texts", path.string(), field.key);
    LS_CHECK(kData, header.metadata.emplace(field.key, text).second, "weights file '{}': metadata '{}' occurs twice",
             path.string(), field.key);
  }
}

void check_ranges(const std::filesystem::path& path, const std::vector<SafetensorsEntry>& entries) {
  std::uint64_t at = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin != at) {
      bad_entry(path, entry.name,
                fmt::format("its bytes start at {}, but the tensor before it ends at {} (an {})", entry.begin, at,
                            entry.begin < at ? "overlap" : "unused gap"));
    }
    at = entry.end;
  }
}

}  // namespace

std::uint64_t safetensors_element_bytes(const std::string& dtype) {
  static const std::map<std::string, std::uint64_t> bytes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
      {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4},     {"I64", 8},     {"U64", 8}, {"F64", 8}};
  const auto found = bytes.find(dtype);
  return found == bytes.end() ? 0 : found->second;
}

SafetensorsHeader parse_safetensors_header(const std::filesystem::path& path, const std::string& json) {
  dom::parser parser;
  dom::element root;
  const auto problem = parser.parse(json).get(root);
  LS_CHECK(kData, problem == simdjson::SUCCESS, "weights file '{}': its header is not valid JSON: {}", path.string(),
           simdjson::error_message(problem));
  dom::object fields;
  LS_CHECK(kData, root.get_object().get(fields) == simdjson::SUCCESS,
           "weights file '{}': its header is not a JSON object", path.string());
  SafetensorsHeader header;
  std::set<std::string_view> seen;
  for (const auto field : fields) {
    LS_CHECK(kData, seen.insert(field.key).second, "weights file '{}': '{}' occurs twice in its header", path.string(),
             field.key);
    if (field.key == "__metadata__") {
      parse_metadata(path, field.value, header);
    } else {
      header.entries.push_back(parse_entry(path, field.key, field.value));
    }
  }
  std::sort(header.entries.begin(), header.entries.end(), [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.end != b.end) return a.end < b.end;  // tensors without elements first
    return a.name < b.name;
  });
  check_ranges(path, header.entries);
  return header;
}

std::string sha256_entry(std::string_view value) { return fmt::format("\"{}\":\"{}\"", kSha256Key, value); }

}  // namespace lockstep
