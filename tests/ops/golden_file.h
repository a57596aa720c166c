// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lockstep/ops/boxes.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// Known answers made by tools/goldens/make_detection_goldens.py: tensors by name, f32 or i32.
class GoldenFile {
 public:
  explicit GoldenFile(const std::string& name);  // a file of tests/ops/data

  const Tensor& tensor(const std::string& name) const;
  std::vector<Box<float>> boxes(const std::string& name) const;
  std::vector<float> floats(const std::string& name) const;
  std::vector<std::int32_t> ints(const std::string& name) const;

 private:
  std::map<std::string, Tensor> tensors_;
};

template <typename T>
std::vector<T> values_of(const Tensor& tensor) {
  return {tensor.data<T>(), tensor.data<T>() + tensor.size()};
}

}  // namespace lockstep
