// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

// The whole file. `padding` zero bytes are appended for parsers that read ahead. Throws kIo with the
// operating system's reason.
std::vector<std::uint8_t> read_file(const std::string& path, std::size_t padding = 0);

// At most the first `limit` bytes of the file.
std::vector<std::uint8_t> read_file_start(const std::string& path, std::size_t limit);

// A file that is read from its start, part by part. Throws kIo.
class FileParts {
 public:
  explicit FileParts(const std::string& path);
  ~FileParts();
  FileParts(const FileParts&) = delete;
  FileParts& operator=(const FileParts&) = delete;

  std::size_t size() const;  // bytes, when it was opened
  // Fills `part`; fewer bytes than it holds come at the end only.
  std::size_t read(std::span<std::uint8_t> part);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Writes a file that is complete or absent: a temporary beside it, then a rename. Throws kIo.
void write_file(const std::string& path, std::span<const std::uint8_t> bytes);

}  // namespace lockstep
