// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep {

// Writes a file so that its readers see either all of the new contents or the old file untouched, also after a crash
// or a power cut: the bytes go to a temporary file in the same folder, which is flushed to the disk and then renamed
// over the old one. Dropped before commit() (an exception, say), it removes the temporary file.
// Every failure is kIo and names the path, the step that failed and the system's cause.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }

  // Makes the new contents visible; call once, last.
  void commit();

 private:
  [[noreturn]] void fail(std::string_view step, int cause) const;
  void flush_folder() const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
};

// Whether `path` is named as AtomicFile names its temporary files, so that what a killed process left can be removed.
bool is_temporary_name(const std::filesystem::path& path);

// The whole file at once, text or binary.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace lockstep
