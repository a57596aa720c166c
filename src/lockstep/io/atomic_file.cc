// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

// One system call moves at most 2^31 - 4096 bytes on Linux; smaller pieces also keep a full disk's answer early.
constexpr std::size_t kPiece = std::size_t{1} << 28;

constexpr std::string_view kMark = ".tmp-";

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = path;
  name += fmt::format("{}{}-{}", kMark, ::getpid(), counter.fetch_add(1));
  return name;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), temporary_(temporary_name(path_)) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("create its temporary file", errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  LS_ASSERT(descriptor_ >= 0, "write to '{}' after commit", path_.string());
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::write(descriptor_, at, std::min(count, kPiece));
    if (done < 0) {
      if (errno == EINTR) continue;
      fail("write", errno);
    }
    at += done;
    count -= static_cast<std::size_t>(done);
  }
}

void AtomicFile::commit() {
  LS_ASSERT(descriptor_ >= 0, "commit of '{}' twice", path_.string());
  if (::fsync(descriptor_) != 0) fail("flush to the disk", errno);
  // Network file systems report a failed write only here.
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0) fail("close", errno);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("put the new contents in place of", errno);
  committed_ = true;
  flush_folder();
}

// A rename survives a power cut only once the folder that holds the name is on the disk.
void AtomicFile::flush_folder() const {
  const std::filesystem::path parent = path_.parent_path();
  const std::string folder = parent.empty() ? std::string(".") : parent.string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail("open the folder of", errno);
  const int flushed = ::fsync(descriptor);
  const int cause = errno;
  ::close(descriptor);
  // EINVAL: a file system without flushable folders.
  if (flushed != 0 && cause != EINVAL) fail("flush the folder of", cause);
}

void AtomicFile::fail(std::string_view step, int cause) const {
  // The destructor does not run when the constructor throws; then there is no temporary file either.
  LS_THROW(kIo, "cannot {} '{}': {}; an earlier file of that name is {}", step, path_.string(),
           std::generic_category().message(cause), committed_ ? "replaced" : "untouched");
}

bool is_temporary_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string::npos || mark == 0) return false;
  const std::string_view rest = std::string_view(name).substr(mark + kMark.size());
  const std::size_t dash = rest.find('-');
  return dash != 0 && dash != std::string_view::npos && dash + 1 < rest.size() &&
         rest.find_first_not_of("0123456789-") == std::string_view::npos;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace lockstep
