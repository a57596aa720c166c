// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

// The largest config file: more is no config, and costs the parser too much.
constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20U;

// Prepares the bytes of a YAML file for the parser: removes a byte order mark, turns CRLF and CR into LF, and
// refuses (kConfig, with file, line and column) what the parser library would misread or hang on: more than
// 1 MiB, invalid UTF-8, control characters, tabs as indentation, and a second document.
std::string check_yaml_text(std::string_view text, const std::string& file_name);

}  // namespace lockstep
