// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/tensor/tensor.h"

namespace lockstep {

// One tensor of a safetensors file as its header states it.
struct SafetensorsEntry {
  std::string name;
  std::string dtype;        // the file's word: "F32", "BF16", ...
  Shape shape;              // [] is a single value
  std::uint64_t begin = 0;  // bytes, counted from the end of the header
  std::uint64_t end = 0;    // one past the last byte
};

// A safetensors file open for reading (the format: 8 bytes of header length, little-endian; a JSON header; the
// tensors' bytes without gaps). The header is checked in full at opening: length, types, shapes, offsets, overlaps,
// gaps, names that occur twice, and that the file is as long as it must be.
// Errors are kData for a file that is missing or not well formed, kIo where the system refuses to read.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(std::filesystem::path path);
  ~SafetensorsFile();
  SafetensorsFile(SafetensorsFile&& other) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) = delete;
  SafetensorsFile(const SafetensorsFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Ordered by place in the file.
  const std::vector<SafetensorsEntry>& entries() const { return entries_; }
  std::vector<std::string> names() const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  // Reads the whole file and compares it with the SHA-256 that write_safetensors left in it (kData when they differ).
  // False when there is none to compare with, as in the files of other programs.
  bool verify() const;

  const SafetensorsEntry* find(const std::string& name) const;  // nullptr when absent

  // F32, F64, I32, I64 and U8 as they are; F16 and BF16 as f32; BOOL as u8; I8, I16 and U16 as i32; U32 as i64 (all
  // exact). Other types are kUnsupported; an absent name is kData and names the nearest one.
  Tensor load(const std::string& name) const;

 private:
  void read_at(std::uint64_t offset, void* bytes, std::uint64_t count) const;
  void parse_header();
  std::string header_json() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t data_begin_ = 0;
  std::vector<SafetensorsEntry> entries_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, std::string> metadata_;
  std::string sha256_;  // empty when the file has none
};

// Writes the tensors as one safetensors file, atomically (AtomicFile; kIo). The same content gives the same bytes:
// widest element type first, then by name, as the reference implementation does, so that every tensor is aligned to
// its element. Tensors in a blocked layout are written plain. A name given twice is an internal error. Under "sha256"
// of the metadata stands the SHA-256 of the whole file with 64 zeros in its own place; metadata() leaves it out.
void write_safetensors(const std::filesystem::path& path,
                       const std::vector<std::pair<std::string, const Tensor*>>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace lockstep
