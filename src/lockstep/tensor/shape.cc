// SPDX-License-Identifier: Apache-2.0
#include "lockstep/tensor/shape.h"

#include "lockstep/base/check.h"

namespace lockstep {

std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::kF32:
    case DType::kI32: return 4;
    case DType::kF64:
    case DType::kI64: return 8;
    case DType::kU8: return 1;
  }
  return 0;
}

std::string_view to_string(DType dtype) {
  switch (dtype) {
    case DType::kF32: return "f32";
    case DType::kF64: return "f64";
    case DType::kI32: return "i32";
    case DType::kI64: return "i64";
    case DType::kU8: return "u8";
  }
  return "?";
}

std::string_view to_string(Layout layout) {
  switch (layout) {
    case Layout::kPlain: return "plain";
    case Layout::kNChw8c: return "nChw8c";
    case Layout::kNChw16c: return "nChw16c";
  }
  return "?";
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ",";
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text + "]";
}

int channel_block(Layout layout) {
  switch (layout) {
    case Layout::kPlain: return 1;
    case Layout::kNChw8c: return 8;
    case Layout::kNChw16c: return 16;
  }
  return 1;
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    LS_ASSERT(size >= 0, "element_count of a shape that is not fully known: {}", to_string(shape));
    LS_CHECK(kDevice, !__builtin_mul_overflow(count, size, &count), "a tensor of shape {} is too large to address",
             to_string(shape));
  }
  return count;
}

}  // namespace lockstep
