// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace lockstep {

// The bytes of a config file, at most kMaxConfigBytes. Refuses what is absent or no regular file (a directory, a
// device, a pipe: reading one may never end) and what is larger (kConfig); a file that cannot be read is kIo. `where`
// stands before every message: "" or "a.yaml:1:8: ", the place that names the file.
std::string read_config_file(const std::filesystem::path& path, const std::string& where);

}  // namespace lockstep
