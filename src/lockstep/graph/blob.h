// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <memory>

#include "lockstep/tensor/tensor.h"

namespace lockstep {

// A named value of a workspace: a tensor, or a shared object such as a queue.
class Blob {
 public:
  Tensor& tensor() { return tensor_; }
  const Tensor& tensor() const { return tensor_; }

  template <typename T>
  void set_object(std::shared_ptr<T> object) {
    object_ = std::move(object);
  }
  // Null when the blob holds no object of type T.
  template <typename T>
  std::shared_ptr<T> object() const {
    const auto* held = std::any_cast<std::shared_ptr<T>>(&object_);
    return held != nullptr ? *held : nullptr;
  }

 private:
  Tensor tensor_;
  std::any object_;  // always a shared_ptr: the loader and the workspace share a queue
};

}  // namespace lockstep
