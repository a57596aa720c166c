// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/graph/blob.h"
#include "lockstep/graph/op_args.h"
#include "lockstep/tensor/device.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// Which set of kernels a net runs on: float32 kernels of the device, or the double-precision
// reference that tests compare them with.
enum class Engine { kDevice, kReference };

// What a kernel sees of one run. Inputs and outputs come in the schema's order. Types and shapes of
// inputs have been checked by the schema's shape inference.
class KernelContext {
 public:
  KernelContext(const OpArgs& args, DeviceContext& device, const std::string& op_name, std::uint64_t seed)
      : args_(args), device_(device), op_name_(op_name), seed_(seed) {}

  const OpArgs& args() const { return args_; }
  DeviceContext& device() const { return device_; }
  const std::string& op_name() const { return op_name_; }
  std::uint64_t seed() const { return seed_; }  // of the recipe; key draws by (seed, sample id, op)

  int input_count() const { return static_cast<int>(inputs_.size()); }
  int output_count() const { return static_cast<int>(outputs_.size()); }
  const Tensor& input(int i) const { return *inputs_[static_cast<std::size_t>(i)]; }
  Tensor& output(int i) const { return outputs_[static_cast<std::size_t>(i)]->tensor(); }
  const std::string& input_blob_name(int i) const { return input_names_[static_cast<std::size_t>(i)]; }
  Blob& input_blob(int i) const { return *input_blobs_[static_cast<std::size_t>(i)]; }
  Blob& output_blob(int i) const { return *outputs_[static_cast<std::size_t>(i)]; }

 private:
  friend class Operator;

  const OpArgs& args_;
  DeviceContext& device_;
  const std::string& op_name_;
  std::uint64_t seed_;
  std::vector<const Tensor*> inputs_;
  std::vector<std::string> input_names_;
  std::vector<Blob*> input_blobs_;
  std::vector<Blob*> outputs_;
};

// The computation of one operator on one device. A kernel only computes: shapes were inferred before.
// It may keep state between runs, such as primitives made for the last shapes; one kernel never runs twice at once.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(KernelContext& context) = 0;
};

using KernelFactory = std::function<std::unique_ptr<Kernel>()>;

// A factory for a kernel without state.
KernelFactory function_kernel(void (*run)(KernelContext&));

// A factory for a kernel class with a default constructor.
template <typename K>
KernelFactory class_kernel() {
  return [] { return std::make_unique<K>(); };
}

}  // namespace lockstep
