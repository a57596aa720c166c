// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/tensor/tensor.h"

namespace lockstep {

// A SHA-256 sum that is fed piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(const void* bytes, std::size_t count);
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::string hex();  // 64 lower-case hexadecimal digits; nothing can be added afterwards

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// SHA-256 of bytes, as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

// SHA-256 over tensors in name order, whatever order they are given in: of each the name, a zero byte, the type and
// shape as describe() prints a plain tensor ("f32[64,3,7,7]"), a zero byte, and the elements' bytes, row-major and
// little-endian. Two sets have the same digest exactly when names, types, shapes and bits are equal; the layout in
// memory does not matter. A name given twice is an internal error.
std::string digest(std::vector<std::pair<std::string, const Tensor*>> tensors);

}  // namespace lockstep
