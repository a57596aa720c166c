// SPDX-License-Identifier: Apache-2.0
#include "lockstep/tensor/device.h"

namespace lockstep {
namespace {
std::string type_name(DeviceType type) { return type == DeviceType::kCpu ? "cpu" : "cuda"; }
}  // namespace

std::string to_string(const DeviceId& id) { return type_name(id.type) + ":" + std::to_string(id.index); }

std::string device_scope(const DeviceId& id) {
  // Blobs of a CUDA device keep the ancestors' scope name.
  const std::string prefix = id.type == DeviceType::kCpu ? "cpu_" : "gpu_";
  return prefix + std::to_string(id.index);
}

}  // namespace lockstep
