// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/tensor/buffer.h"
#include "lockstep/tensor/shape.h"

namespace lockstep {

// A typed array with a shape and a layout. Moves are cheap; a copy is written out as clone().
// A default-made tensor is f32 of shape [0].
class Tensor {
 public:
  Tensor() = default;
  Tensor(DType dtype, Shape shape, Layout layout = Layout::kPlain) { resize(dtype, std::move(shape), layout); }
  Tensor(Tensor&& other) noexcept { swap(other); }
  Tensor& operator=(Tensor&& other) noexcept {
    swap(other);
    return *this;
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  template <typename T>
  static Tensor from(Shape shape, const std::vector<T>& values);
  template <typename T>
  static Tensor scalar(T value) {
    return from<T>({1}, {value});
  }

  // Gives the tensor a type, shape and layout, keeping its memory where that is large enough.
  // Contents are unspecified afterwards, unless type, shape and layout stayed the same; then they are kept.
  // A layout other than plain needs four axes.
  void resize(DType dtype, Shape shape, Layout layout = Layout::kPlain);
  void swap(Tensor& other) noexcept;
  Tensor clone() const;
  void copy_from(const Tensor& other);  // type, shape, layout and contents
  void fill_zero();                     // the padding of a blocked layout too

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  Layout layout() const { return layout_; }
  std::int64_t dim(int axis) const;  // negative axes count from the end
  int rank() const { return static_cast<int>(shape_.size()); }
  std::int64_t size() const { return size_; }                  // elements, without padding
  std::int64_t storage_size() const { return storage_size_; }  // elements in memory, with padding
  std::size_t bytes() const { return static_cast<std::size_t>(storage_size_) * size_of(dtype_); }

  // Typed access; T must be the tensor's dtype (internal error otherwise).
  template <typename T>
  T* data() {
    require(DTypeOf<T>::value);
    return reinterpret_cast<T*>(buffer_.data());
  }
  template <typename T>
  const T* data() const {
    require(DTypeOf<T>::value);
    return reinterpret_cast<const T*>(buffer_.data());
  }
  void* raw() { return buffer_.data(); }
  const void* raw() const { return buffer_.data(); }
  std::size_t capacity_bytes() const { return buffer_.capacity(); }

  std::string describe() const;  // "f32[2,64,56,56] nChw8c"; a plain layout is not named

 private:
  void require(DType wanted) const;
  [[noreturn]] void wrong_count(std::size_t values) const;

  DType dtype_ = DType::kF32;
  Layout layout_ = Layout::kPlain;
  Shape shape_ = {0};
  std::int64_t size_ = 0;
  std::int64_t storage_size_ = 0;
  Buffer buffer_;
};

// The contents in another layout (4 axes); padding is zero. Works for every dtype.
void convert_layout(const Tensor& from, Layout layout, Tensor& to);
// The contents as another floating type (f32 <-> f64); the layout is kept.
Tensor convert_dtype(const Tensor& from, DType dtype);

template <typename T>
Tensor Tensor::from(Shape shape, const std::vector<T>& values) {
  Tensor tensor(DTypeOf<T>::value, std::move(shape));
  tensor.require(DTypeOf<T>::value);
  if (static_cast<std::int64_t>(values.size()) != tensor.size()) tensor.wrong_count(values.size());
  std::copy(values.begin(), values.end(), tensor.data<T>());
  return tensor;
}

}  // namespace lockstep
