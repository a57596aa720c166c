// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lockstep/io/safetensors.h"

namespace lockstep {

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
