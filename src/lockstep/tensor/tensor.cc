// SPDX-License-Identifier: Apache-2.0
#include "lockstep/tensor/tensor.h"

#include <cstring>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

std::int64_t padded_channels(std::int64_t channels, Layout layout) {
  const std::int64_t block = channel_block(layout);
  return (channels + block - 1) / block * block;
}

// Walks a blocked tensor in memory order and copies to or from the plain one.
template <typename T>
void copy_blocked(const T* from, T* to, const Shape& shape, Layout layout, bool to_blocked) {
  const std::int64_t channels = shape[1];
  const std::int64_t pixels = shape[2] * shape[3];
  const std::int64_t block = channel_block(layout);
  const std::int64_t blocks = padded_channels(channels, layout) / block;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t blocked = (n * blocks + b) * pixels * block;
      for (std::int64_t c = 0; c < block; ++c) {
        const std::int64_t channel = b * block + c;
        const std::int64_t plain = (n * channels + channel) * pixels;
        for (std::int64_t p = 0; p < pixels; ++p) {
          const std::int64_t at = blocked + p * block + c;
          if (to_blocked) {
            to[at] = channel < channels ? from[plain + p] : T{};
          } else if (channel < channels) {
            to[plain + p] = from[at];
          }
        }
      }
    }
  }
}

template <typename T>
void convert_as(const Tensor& from, Layout layout, Tensor& to) {
  const bool to_blocked = layout != Layout::kPlain;
  copy_blocked(from.data<T>(), to.data<T>(), from.shape(), to_blocked ? layout : from.layout(), to_blocked);
}

}  // namespace

void Tensor::resize(DType dtype, Shape shape, Layout layout) {
  if (dtype == dtype_ && layout == layout_ && shape == shape_) return;
  LS_ASSERT(layout == Layout::kPlain || shape.size() == 4, "layout {} needs four axes, got shape {}", to_string(layout),
            to_string(shape));
  size_ = element_count(shape);
  storage_size_ = size_;
  if (layout != Layout::kPlain) {
    Shape padded = shape;
    padded[1] = padded_channels(padded[1], layout);
    storage_size_ = element_count(padded);
  }
  buffer_.reserve(static_cast<std::size_t>(storage_size_) * size_of(dtype));
  dtype_ = dtype;
  layout_ = layout;
  shape_ = std::move(shape);
}

void Tensor::swap(Tensor& other) noexcept {
  std::swap(dtype_, other.dtype_);
  std::swap(layout_, other.layout_);
  std::swap(shape_, other.shape_);
  std::swap(size_, other.size_);
  std::swap(storage_size_, other.storage_size_);
  std::swap(buffer_, other.buffer_);
}

Tensor Tensor::clone() const {
  Tensor copy;
  copy.copy_from(*this);
  return copy;
}

void Tensor::copy_from(const Tensor& other) {
  resize(other.dtype_, other.shape_, other.layout_);
  if (bytes() > 0) std::memcpy(raw(), other.raw(), bytes());
}

void Tensor::fill_zero() {
  if (bytes() > 0) std::memset(raw(), 0, bytes());
}

std::int64_t Tensor::dim(int axis) const {
  const int at = axis < 0 ? rank() + axis : axis;
  LS_ASSERT(at >= 0 && at < rank(), "axis {} of {} does not exist", axis, describe());
  return shape_[static_cast<std::size_t>(at)];
}

std::string Tensor::describe() const {
  std::string text = std::string(to_string(dtype_)) + to_string(shape_);
  if (layout_ != Layout::kPlain) text += " " + std::string(to_string(layout_));
  return text;
}

void Tensor::require(DType wanted) const {
  LS_ASSERT(dtype_ == wanted, "tensor {} was read as {}", describe(), to_string(wanted));
}

void Tensor::wrong_count(std::size_t values) const {
  LS_THROW(kInternal, "tensor {} made from {} values", describe(), values);
}

void convert_layout(const Tensor& from, Layout layout, Tensor& to) {
  LS_ASSERT(&from != &to, "convert_layout cannot work in place");
  if (from.layout() == layout) {
    to.copy_from(from);
    return;
  }
  if (from.layout() != Layout::kPlain && layout != Layout::kPlain) {
    Tensor plain;
    convert_layout(from, Layout::kPlain, plain);
    convert_layout(plain, layout, to);
    return;
  }
  to.resize(from.dtype(), from.shape(), layout);
  switch (from.dtype()) {
    case DType::kF32: return convert_as<float>(from, layout, to);
    case DType::kF64: return convert_as<double>(from, layout, to);
    case DType::kI32: return convert_as<std::int32_t>(from, layout, to);
    case DType::kI64: return convert_as<std::int64_t>(from, layout, to);
    case DType::kU8: return convert_as<std::uint8_t>(from, layout, to);
  }
}

Tensor convert_dtype(const Tensor& from, DType dtype) {
  if (from.dtype() == dtype) return from.clone();
  Tensor to(dtype, from.shape(), from.layout());
  if (from.dtype() == DType::kF32 && dtype == DType::kF64) {
    std::copy_n(from.data<float>(), from.storage_size(), to.data<double>());
  } else if (from.dtype() == DType::kF64 && dtype == DType::kF32) {
    std::transform(from.data<double>(), from.data<double>() + from.storage_size(), to.data<float>(),
                   [](double value) { return static_cast<float>(value); });
  } else {
    LS_THROW(kInternal, "convert_dtype from {} to {} is not defined", from.describe(), to_string(dtype));
  }
  return to;
}

}  // namespace lockstep
