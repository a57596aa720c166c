// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/io/safetensors.h"

namespace lockstep {

// The metadata key under which write_safetensors states the file's SHA-256, what stands there while it is computed, and
// the whole entry in the header's text.
inline constexpr const char* kSha256Key = "sha256";
inline constexpr std::string_view kNoSha256 = "0000000000000000000000000000000000000000000000000000000000000000";
std::string sha256_entry(std::string_view value);

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // ordered by place
  std::map<std::string, std::string> metadata;
};

// Reads the JSON header of `path` and checks every entry, each range against its shape and type, and that the ranges
// follow one another from 0 without gap or overlap. Throws kData.
SafetensorsHeader parse_safetensors_header(const std::filesystem::path& path, const std::string& json);

// Bytes per element of a type word of the format; 0 for a word that the format does not have.
std::uint64_t safetensors_element_bytes(const std::string& dtype);

}  // namespace lockstep
