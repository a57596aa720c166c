// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/config_file.h"

#include <fstream>
#include <system_error>

#include "lockstep/base/check.h"
#include "lockstep/config/yaml_text_check.h"

namespace lockstep {

std::string read_config_file(const std::filesystem::path& path, const std::string& where) {
  namespace fs = std::filesystem;
  const std::string name = path.string();
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  LS_CHECK(kConfig, status.type() != fs::file_type::not_found,
           "{}there is no file '{}'; give the path of a config file", where, name);
  LS_CHECK(kConfig, status.type() != fs::file_type::directory, "{}'{}' is a directory, wanted a config file", where,
           name);
  LS_CHECK(kConfig, status.type() == fs::file_type::regular || status.type() == fs::file_type::none,
           "{}'{}' is a device or a pipe, wanted a config file; write it to a file first", where, name);
  std::ifstream stream(path, std::ios::binary);
  LS_CHECK(kIo, stream.good(), "{}cannot open '{}' for reading; check its permissions", where, name);
  std::string text(kMaxConfigBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  LS_CHECK(kIo, !stream.bad(), "{}cannot read '{}'; check its file system", where, name);
  text.resize(static_cast<std::size_t>(stream.gcount()));
  LS_CHECK(kConfig, text.size() <= kMaxConfigBytes,
           "{}'{}' has more than {} bytes, wanted a config of at most that; is this a YAML file?", where, name,
           kMaxConfigBytes);
  return text;
}

}  // namespace lockstep
