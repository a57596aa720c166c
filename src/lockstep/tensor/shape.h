// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// Sizes per axis, outermost first. In shape inference a size of -1 is one not known yet.
using Shape = std::vector<std::int64_t>;

enum class DType : std::uint8_t { kF32, kF64, kI32, kI64, kU8 };

// How the elements of a 4-axis tensor (n, c, h, w) lie in memory.
enum class Layout : std::uint8_t {
  kPlain,    // row-major, the last axis densest
  kNChw8c,   // channels in blocks of 8, the block densest; C is padded to a multiple of 8 with zeros
  kNChw16c,  // the same with blocks of 16
};

std::size_t size_of(DType dtype);           // bytes per element
std::string_view to_string(DType dtype);    // "f32", "f64", "i32", "i64", "u8"
std::string_view to_string(Layout layout);  // "plain", "nChw8c", "nChw16c"
std::string to_string(const Shape& shape);  // "[2,256,?,56]"; -1 prints as ?
int channel_block(Layout layout);           // 1, 8 or 16

// The product of all sizes; 1 for no axes. Every size must be known (>= 0).
std::int64_t element_count(const Shape& shape);

template <typename T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::kF32;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::kF64;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::kI32;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::kI64;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::kU8;
};

}  // namespace lockstep
