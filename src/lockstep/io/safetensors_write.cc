// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/io/atomic_file.h"
#include "lockstep/io/digest.h"
#include "lockstep/io/safetensors.h"
#include "lockstep/io/safetensors_header.h"

namespace lockstep {
namespace {

using Named = std::pair<std::string, const Tensor*>;

std::string_view dtype_word(DType dtype) {
  switch (dtype) {
    case DType::kF32: return "F32";
    case DType::kF64: return "F64";
    case DType::kI32: return "I32";
    case DType::kI64: return "I64";
    case DType::kU8: return "U8";
  }
  LS_THROW(kInternal, "a dtype without a safetensors word");
}

std::uint64_t plain_bytes(const Tensor& tensor) {
  return static_cast<std::uint64_t>(tensor.size()) * size_of(tensor.dtype());
}

std::string header_text(const std::vector<Named>& ordered, const std::map<std::string, std::string>& metadata) {
  std::string text = "{";
  if (!metadata.empty()) {
    text += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      if (text.back() != '{') text += ',';
      text += json_quote(key) + ':' + json_quote(value);
    }
    text += '}';
  }
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : ordered) {
    if (text.size() > 1) text += ',';
    text += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[", json_quote(name), dtype_word(tensor->dtype()));
    for (std::size_t axis = 0; axis < tensor->shape().size(); ++axis) {
      text += fmt::format("{}{}", axis == 0 ? "" : ",", tensor->shape()[axis]);
    }
    const std::uint64_t end = at + plain_bytes(*tensor);
    text += fmt::format("],\"data_offsets\":[{},{}]}}", at, end);
    at = end;
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

// Calls visit(bytes, count) for the elements of every tensor, row-major.
template <typename Visit>
void visit_elements(const std::vector<Named>& ordered, Visit visit) {
  Tensor plain;
  for (const auto& [name, tensor] : ordered) {
    if (tensor->layout() == Layout::kPlain) {
      visit(tensor->raw(), tensor->bytes());
    } else {
      convert_layout(*tensor, Layout::kPlain, plain);
      visit(plain.raw(), plain.bytes());
    }
  }
}

// Puts the SHA-256 of the whole file into its place in the header.
void sign(std::string& header, const std::vector<Named>& ordered) {
  Sha256 sum;
  const std::uint64_t length = header.size();
  sum.add(&length, sizeof(length));
  sum.add(header);
  visit_elements(ordered, [&](const void* bytes, std::size_t count) { sum.add(bytes, count); });
  const std::string unsigned_entry = sha256_entry(kNoSha256);
  header.replace(header.find(unsigned_entry), unsigned_entry.size(), sha256_entry(sum.hex()));
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const std::vector<Named>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<Named> ordered = tensors;
  std::sort(ordered.begin(), ordered.end(), [](const Named& a, const Named& b) {
    const std::size_t a_bytes = size_of(a.second->dtype());
    const std::size_t b_bytes = size_of(b.second->dtype());
    return a_bytes != b_bytes ? a_bytes > b_bytes : a.first < b.first;
  });
  std::vector<std::string> names;
  for (const Named& named : ordered) names.push_back(named.first);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  LS_ASSERT(twice == names.end(), "tensor '{}' is given twice for '{}'", *twice, path.string());

  std::map<std::string, std::string> signed_metadata = metadata;
  signed_metadata[kSha256Key] = kNoSha256;
  std::string header = header_text(ordered, signed_metadata);
  sign(header, ordered);
  const std::uint64_t length = header.size();
  AtomicFile file(path);
  file.write(&length, sizeof(length));
  file.write(header);
  visit_elements(ordered, [&](const void* bytes, std::size_t count) { file.write(bytes, count); });
  file.commit();
}

}  // namespace lockstep
