// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/safetensors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/io/digest.h"
#include "lockstep/io/half.h"
#include "lockstep/io/safetensors_header.h"

namespace lockstep {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian, and read as they are");

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the reference implementation's limit

template <typename From, typename To>
Tensor widen(const Tensor& bytes, const Shape& shape) {
  Tensor result(DTypeOf<To>::value, shape);
  const auto* from = static_cast<const From*>(bytes.raw());
  std::copy(from, from + result.size(), result.data<To>());
  return result;
}

Tensor widen_half(const Tensor& bytes, const Shape& shape, float (*to_float)(std::uint16_t)) {
  Tensor result(DType::kF32, shape);
  const auto* from = static_cast<const std::uint16_t*>(bytes.raw());
  std::transform(from, from + result.size(), result.data<float>(), to_float);
  return result;
}

}  // namespace

SafetensorsFile::SafetensorsFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    const int cause = errno;
    LS_CHECK(kIo, cause == ENOENT || cause == ENOTDIR, "cannot open weights file '{}': {}", path_.string(),
             std::generic_category().message(cause));
    LS_THROW(kData, "weights file '{}' does not exist", path_.string());
  }
  try {
    parse_header();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

SafetensorsFile::~SafetensorsFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

SafetensorsFile::SafetensorsFile(SafetensorsFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      file_bytes_(other.file_bytes_),
      data_begin_(other.data_begin_),
      entries_(std::move(other.entries_)),
      index_(std::move(other.index_)),
      metadata_(std::move(other.metadata_)),
      sha256_(std::move(other.sha256_)) {}

void SafetensorsFile::parse_header() {
  struct stat status = {};
  LS_CHECK(kIo, ::fstat(descriptor_, &status) == 0, "cannot read weights file '{}': {}", path_.string(),
           std::generic_category().message(errno));
  LS_CHECK(kData, S_ISREG(status.st_mode), "weights file '{}' is not a file (a folder, perhaps)", path_.string());
  file_bytes_ = static_cast<std::uint64_t>(status.st_size);
  LS_CHECK(kData, file_bytes_ >= kLengthBytes, "file '{}' is truncated: {} of at least {} bytes", path_.string(),
           file_bytes_, kLengthBytes);
  std::uint64_t length = 0;
  read_at(0, &length, kLengthBytes);
  LS_CHECK(kData, length >= 2 && length <= kMaxHeaderBytes,
           "file '{}' is not a safetensors file: its first 8 bytes give a header of {} bytes (2 to {} are possible); a "
           "PyTorch or pickle file must be converted first",
           path_.string(), length, kMaxHeaderBytes);
  data_begin_ = kLengthBytes + length;
  LS_CHECK(kData, file_bytes_ >= data_begin_, "file '{}' is truncated: {} of at least {} bytes", path_.string(),
           file_bytes_, data_begin_);
  SafetensorsHeader header = parse_safetensors_header(path_, header_json());
  const std::uint64_t data_bytes = header.entries.empty() ? 0 : header.entries.back().end;
  LS_CHECK(kData, file_bytes_ - data_begin_ >= data_bytes,
           "file '{}' is truncated: {} of {} bytes; fetch or write it again", path_.string(), file_bytes_,
           data_begin_ + data_bytes);
  LS_CHECK(kData, file_bytes_ - data_begin_ == data_bytes,
           "weights file '{}' has {} bytes after the last tensor that its header does not explain", path_.string(),
           file_bytes_ - data_begin_ - data_bytes);
  entries_ = std::move(header.entries);
  metadata_ = std::move(header.metadata);
  if (auto node = metadata_.extract(kSha256Key)) sha256_ = std::move(node.mapped());
  for (std::size_t i = 0; i < entries_.size(); ++i) index_.emplace(entries_[i].name, i);
}

std::string SafetensorsFile::header_json() const {
  std::string json(data_begin_ - kLengthBytes, '\0');
  read_at(kLengthBytes, json.data(), json.size());
  return json;
}

bool SafetensorsFile::verify() const {
  if (sha256_.empty()) return false;
  std::string json = header_json();
  const std::size_t place = json.find(sha256_entry(sha256_));
  if (place != std::string::npos) json.replace(place, sha256_entry(sha256_).size(), sha256_entry(kNoSha256));
  Sha256 sum;
  const std::uint64_t length = json.size();
  sum.add(&length, kLengthBytes);
  sum.add(json);
  std::vector<char> piece(std::size_t{1} << 20);
  for (std::uint64_t at = data_begin_; at < file_bytes_;) {
    const std::uint64_t count = std::min<std::uint64_t>(piece.size(), file_bytes_ - at);
    read_at(at, piece.data(), count);
    sum.add(piece.data(), count);
    at += count;
  }
  const std::string found = sum.hex();
  LS_CHECK(kData, found == sha256_,
           "file '{}' is damaged: its bytes are not those that were written (SHA-256 {}, wanted {}); fetch or write it "
           "again. If a program changed it on purpose, have it leave out '{}' of the metadata",
           path_.string(), found, sha256_, kSha256Key);
  return true;
}

void SafetensorsFile::read_at(std::uint64_t offset, void* bytes, std::uint64_t count) const {
  auto* at = static_cast<char*>(bytes);
  while (count > 0) {
    const std::size_t piece = std::min<std::uint64_t>(count, std::uint64_t{1} << 30);
    const ssize_t done = ::pread(descriptor_, at, piece, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    LS_CHECK(kIo, done >= 0, "cannot read weights file '{}': {}", path_.string(),
             std::generic_category().message(errno));
    LS_CHECK(kIo, done > 0, "weights file '{}' ended at byte {} while it was read; it was cut by another program",
             path_.string(), offset);
    at += done;
    offset += static_cast<std::uint64_t>(done);
    count -= static_cast<std::uint64_t>(done);
  }
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const SafetensorsEntry& entry : entries_) names.push_back(entry.name);
  return names;
}

const SafetensorsEntry* SafetensorsFile::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &entries_[found->second];
}

Tensor SafetensorsFile::load(const std::string& name) const {
  const SafetensorsEntry* entry = find(name);
  if (entry == nullptr) {
    const std::string near = nearest_name(name, names());
    LS_THROW(kData, "weights file '{}' has no tensor '{}'{}", path_.string(), name,
             near.empty() ? std::string() : fmt::format("; the nearest name is '{}'", near));
  }
  static const std::map<std::string, DType> as_is = {{"F32", DType::kF32}, {"F64", DType::kF64}, {"I32", DType::kI32},
                                                     {"I64", DType::kI64}, {"U8", DType::kU8},   {"BOOL", DType::kU8}};
  const std::uint64_t offset = data_begin_ + entry->begin;
  const std::uint64_t count = entry->end - entry->begin;
  if (const auto direct = as_is.find(entry->dtype); direct != as_is.end()) {
    Tensor tensor(direct->second, entry->shape);
    read_at(offset, tensor.raw(), count);
    return tensor;
  }
  Tensor bytes(DType::kU8, {static_cast<std::int64_t>(count)});
  read_at(offset, bytes.raw(), count);
  if (entry->dtype == "F16") return widen_half(bytes, entry->shape, float_from_f16);
  if (entry->dtype == "BF16") return widen_half(bytes, entry->shape, float_from_bf16);
  if (entry->dtype == "I8") return widen<std::int8_t, std::int32_t>(bytes, entry->shape);
  if (entry->dtype == "I16") return widen<std::int16_t, std::int32_t>(bytes, entry->shape);
  if (entry->dtype == "U16") return widen<std::uint16_t, std::int32_t>(bytes, entry->shape);
  if (entry->dtype == "U32") return widen<std::uint32_t, std::int64_t>(bytes, entry->shape);
  LS_THROW(kUnsupported, "weights file '{}': tensor '{}' is {}, which this build cannot load; convert it to F32",
           path_.string(), name, entry->dtype);
}

}  // namespace lockstep
