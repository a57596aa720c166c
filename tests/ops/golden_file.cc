// SPDX-License-Identifier: Apache-2.0
#include "ops/golden_file.h"

#include <fstream>
#include <sstream>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

template <typename T>
Tensor read_values(const Shape& shape, const std::string& line) {
  std::istringstream text(line);
  std::vector<T> values;
  for (std::string word; text >> word;) values.push_back(static_cast<T>(std::stod(word)));
  return Tensor::from(shape, values);
}

}  // namespace

GoldenFile::GoldenFile(const std::string& name) {
  const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/ops/data/" + name;
  std::ifstream file(path);
  LS_CHECK(kIo, file.good(), "cannot read {}", path);
  for (std::string head, values; std::getline(file, head) && std::getline(file, values);) {
    std::istringstream words(head);
    std::string tensor_name, dtype;
    words >> tensor_name >> dtype;
    Shape shape;
    for (std::int64_t size = 0; words >> size;) shape.push_back(size);
    tensors_.emplace(tensor_name,
                     dtype == "f32" ? read_values<float>(shape, values) : read_values<std::int32_t>(shape, values));
  }
}

const Tensor& GoldenFile::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  LS_CHECK(kData, found != tensors_.end(), "there is no tensor '{}'", name);
  return found->second;
}

std::vector<Box<float>> GoldenFile::boxes(const std::string& name) const {
  std::vector<Box<float>> boxes;
  const Tensor& rows = tensor(name);
  for (std::int64_t i = 0; i < rows.dim(0); ++i) boxes.push_back(load_box(rows.data<float>() + 4 * i));
  return boxes;
}

std::vector<float> GoldenFile::floats(const std::string& name) const { return values_of<float>(tensor(name)); }
std::vector<std::int32_t> GoldenFile::ints(const std::string& name) const {
  return values_of<std::int32_t>(tensor(name));
}

}  // namespace lockstep
