// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "lockstep/base/error.h"

namespace lockstep::testing {

inline std::string read_text_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The folder of reference data beside the project; tests over it skip where it is absent.
inline std::filesystem::path shared_folder() { return std::filesystem::path(LOCKSTEP_SOURCE_DIR) / ".." / "shared"; }

// The text of the error that `run` throws, or "no error".
template <typename Run>
std::string error_of(Run run, ErrorKind kind = ErrorKind::kConfig) {
  try {
    run();
  } catch (const Error& error) {
    if (error.kind() != kind) return "error of kind " + std::string(to_string(error.kind())) + ": " + error.what();
    return error.what();
  }
  return "no error";
}

// A folder that is removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lockstep_config_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lockstep::testing
