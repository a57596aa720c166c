// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/file_bytes.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string reason() { return std::generic_category().message(errno); }

File open_file(const std::string& path, std::size_t& size) {
  std::error_code failed;
  LS_CHECK(kIo, !std::filesystem::is_directory(path, failed), "cannot read {}: it is a directory", path);
  File file(std::fopen(path.c_str(), "rb"));
  LS_CHECK(kIo, file != nullptr, "cannot open {}: {}", path, reason());
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  LS_CHECK(kIo, std::fseek(file.get(), 0, SEEK_END) == 0, "cannot read {}: {}", path, reason());
  const long end = std::ftell(file.get());
  LS_CHECK(kIo, end >= 0 && std::fseek(file.get(), 0, SEEK_SET) == 0, "cannot read {}: {}", path, reason());
  size = static_cast<std::size_t>(end);
  return file;
}

std::vector<std::uint8_t> read_bytes(const std::string& path, std::size_t limit, std::size_t padding) {
  std::size_t size = 0;
  const File file = open_file(path, size);
  size = std::min(size, limit);
  std::vector<std::uint8_t> bytes(size + padding);
  LS_CHECK(kIo, size == 0 || std::fread(bytes.data(), 1, size, file.get()) == size, "cannot read {}: {}", path,
           std::ferror(file.get()) != 0 ? reason() : "it became shorter while it was read");
  return bytes;
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::string& path, std::size_t padding) {
  return read_bytes(path, SIZE_MAX, padding);
}

std::vector<std::uint8_t> read_file_start(const std::string& path, std::size_t limit) {
  return read_bytes(path, limit, 0);
}

struct FileParts::Impl {
  std::string path;
  std::size_t size = 0;
  File file;
};

FileParts::FileParts(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->file = open_file(path, impl_->size);
}

FileParts::~FileParts() = default;

std::size_t FileParts::size() const { return impl_->size; }

std::size_t FileParts::read(std::span<std::uint8_t> part) {
  const std::size_t got = std::fread(part.data(), 1, part.size(), impl_->file.get());
  LS_CHECK(kIo, got == part.size() || std::ferror(impl_->file.get()) == 0, "cannot read {}: {}", impl_->path, reason());
  return got;
}

void write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  const std::string temporary = path + ".part";
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  LS_CHECK(kIo, file != nullptr, "cannot write {}: {}", path, reason());
  const bool written = bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const std::string failure = written ? "" : reason();
  const bool closed = std::fclose(file) == 0;
  std::error_code failed;
  if (!written || !closed) {
    const std::string why = written ? reason() : failure;
    std::filesystem::remove(temporary, failed);
    LS_THROW(kIo, "cannot write {}: {}", path, why);
  }
  std::filesystem::rename(temporary, path, failed);
  LS_CHECK(kIo, !failed, "cannot write {}: {}", path, failed.message());
}

}  // namespace lockstep
